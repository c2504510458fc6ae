import type { ScoreReasonKind, ScoringDraftQuery, ScoringVersionsQuery } from '../../generated/graphql';

export type Version = ScoringVersionsQuery['getScoringVersions'][number];
export type Draft = NonNullable<ScoringDraftQuery['getScoringDraft']>;
/** What a version or a draft weighs. */
export type Rules = Pick<Version, 'weights' | 'reportThreshold'>;
export type Side = 'merit' | 'impact';

export const pointsMax = 1_000_000;
export const thresholdMax = 1_000;
export const noteMaxLength = 500;

/** What others give and take back earns merit alone: impact is never lost. */
const withoutImpact: readonly ScoreReasonKind[] = [
  'DOWNVOTE_CAST',
  'QUESTION_UPVOTED',
  'QUESTION_DOWNVOTED',
  'ANSWER_UPVOTED',
  'ANSWER_DOWNVOTED',
  'POST_REPORTED',
];
/** Impact of a vote outlives the vote, so no merit goes with it. */
const withoutMerit: readonly ScoreReasonKind[] = ['UPVOTE_CAST'];

export const mayWeigh = (kind: ScoreReasonKind, side: Side): boolean =>
  !(side === 'merit' ? withoutMerit : withoutImpact).includes(kind);

export type PointsProblem = 'whole' | 'tooMuch' | 'negativeImpact';

/** What is wrong with points as they are typed. */
export function problemOf(points: number | undefined, side: Side): PointsProblem | undefined {
  if (points === undefined || !Number.isInteger(points)) return 'whole';
  if (Math.abs(points) > pointsMax) return 'tooMuch';
  return side === 'impact' && points < 0 ? 'negativeImpact' : undefined;
}

/** Which versions hold at a moment is for the server to say of facts; this is the one that new facts count by. */
export function versionInForce(versions: readonly Version[], now: Date): Version | undefined {
  return versions.find(
    ({ effectiveFrom }) => effectiveFrom === null || new Date(effectiveFrom).getTime() <= now.getTime(),
  );
}

/** Null: for all of history. */
export type EffectiveFrom = string | null;

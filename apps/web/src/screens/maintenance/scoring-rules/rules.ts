import type { ScoreReasonKind, ScoringDraftQuery, ScoringVersionsQuery } from '../../../generated/graphql';

export type Version = ScoringVersionsQuery['getScoringVersions'][number];
export type Draft = NonNullable<ScoringDraftQuery['getScoringDraft']>;
/** Points, report threshold and safeguards of a version or a draft. */
export type Rules = Pick<Version, 'weights' | 'reportThreshold' | 'safeguards'>;
export type Safeguards = Omit<Version['safeguards'], '__typename'>;
export type Side = 'merit' | 'impact';

const pointsMax = 1_000_000;
export const thresholdMax = 1_000;
export const noteMaxLength = 500;
export const forfeitHoursMax = 720;
/** Proposed when a maintainer switches the rule on. */
export const forfeitHoursDefault = 24;

/** Whether an action may earn or cost points. 0 is always allowed. The server enforces the same table. */
type Sign = 'earns' | 'costs' | 'never';
const signs: Readonly<Record<ScoreReasonKind, Readonly<Record<Side, Sign>>>> = {
  QUESTION_POSTED: { merit: 'earns', impact: 'earns' },
  ANSWER_POSTED: { merit: 'earns', impact: 'earns' },
  COMMENT_POSTED: { merit: 'earns', impact: 'earns' },
  UPVOTE_CAST: { merit: 'never', impact: 'earns' },
  DOWNVOTE_CAST: { merit: 'costs', impact: 'never' },
  QUESTION_UPVOTED: { merit: 'earns', impact: 'never' },
  QUESTION_DOWNVOTED: { merit: 'costs', impact: 'never' },
  ANSWER_UPVOTED: { merit: 'earns', impact: 'never' },
  ANSWER_DOWNVOTED: { merit: 'costs', impact: 'never' },
  ANSWER_ACCEPTED: { merit: 'earns', impact: 'earns' },
  ACCEPTED_AN_ANSWER: { merit: 'earns', impact: 'earns' },
  POST_REPORTED: { merit: 'costs', impact: 'never' },
};

export const mayScore = (kind: ScoreReasonKind, side: Side): boolean => signs[kind][side] !== 'never';
export const mayCost = (kind: ScoreReasonKind, side: Side): boolean => signs[kind][side] === 'costs';

export type PointsProblem = 'whole' | 'tooLarge' | 'earnsOnly' | 'costsOnly';

/** Validation error of entered points. */
export function problemOf(
  points: number | undefined,
  kind: ScoreReasonKind,
  side: Side,
): PointsProblem | undefined {
  if (points === undefined || !Number.isInteger(points)) return 'whole';
  if (Math.abs(points) > pointsMax) return 'tooLarge';
  if (points < 0 && !mayCost(kind, side)) return 'earnsOnly';
  return points > 0 && mayCost(kind, side) ? 'costsOnly' : undefined;
}

/** Without the type name of the cache. */
export const safeguardsOf = ({
  acceptancePaysOncePerQuestion,
  deletionForfeitsWithinHours,
  downvotesNeedMerit,
  upheldReportsCount,
}: Safeguards): Safeguards => ({
  acceptancePaysOncePerQuestion,
  deletionForfeitsWithinHours,
  downvotesNeedMerit,
  upheldReportsCount,
});

/** 0 disables the rule. */
export const areForfeitHours = (hours: number): boolean =>
  Number.isInteger(hours) && hours >= 0 && hours <= forfeitHoursMax;

/** The latest version that was not withdrawn; the next one follows it. */
export const latestVersion = (versions: readonly Version[]): Version | undefined =>
  versions.find(({ state }) => state !== 'WITHDRAWN');

/** Null for the entire history. */
export type EffectiveFrom = string | null;

/** For labels only: the server decides whether the time has come. */
export const isAhead = (scope: EffectiveFrom): boolean => scope !== null && Date.parse(scope) > Date.now();

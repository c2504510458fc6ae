import type { FactKind, ScoringRules } from '../events.js';
import { isRobot } from '../students/robot.js';
import type { ScoreFact } from './score-fact.js';
import { FORFEITED_KINDS, MERIT_FLOOR, POSTING_KINDS, rulesAt, safeguardsOf } from './scoring-rules.js';

/** A student's row on the leaderboard of a space. */
export type Score = {
  /** Merit. */
  readonly reputations: number;
  /** Impact. */
  readonly commitments: number;
  readonly score: number;
  /** Position of the latest active fact with points, 0 if there is none. Breaks ties. */
  readonly lastOrdinal: number;
  readonly questionsAsked: number;
  readonly questionsAnswered: number;
  readonly answersAccepted: number;
};

/** Effect of a fact on the score, with its log position. */
export type ScoreEntry = {
  readonly ordinal: number;
  readonly kind: FactKind;
  readonly merit: number;
  readonly impact: number;
};

export const initialScore: Score = {
  reputations: MERIT_FLOOR,
  commitments: 0,
  score: MERIT_FLOOR,
  lastOrdinal: 0,
  questionsAsked: 0,
  questionsAnswered: 0,
  answersAccepted: 0,
};

type Posting = Pick<ScoreFact, 'occurredAt' | 'deletedAt'>;

/**
 * Effect of a fact under the rules of its time; undefined if it is inactive, has too few reports or is about a robot.
 * @param posting fact of posting the post that the fact is about
 */
export const scoreEntryOf = (
  fact: ScoreFact,
  versions: readonly ScoringRules[],
  posting?: Posting,
): ScoreEntry | undefined => {
  if (!fact.standing || isRobot(fact.studentId)) return undefined;
  const { kind } = fact;
  const due = kind === 'POST_REPORTED' ? penaltyDue(fact, versions) : fact;
  if (!due) return undefined;
  const rules = rulesAt(versions, due.occurredAt);
  const { acceptancePaysOncePerQuestion, deletionForfeitsWithinHours } = safeguardsOf(rules);
  if (fact.superseded && acceptancePaysOncePerQuestion) return undefined;
  if (isForfeited(kind, posting, deletionForfeitsWithinHours)) return undefined;
  return { ordinal: due.ordinal, kind, ...rules.weights[kind] };
};

const MS_PER_HOUR = 3_600_000;

const isForfeited = (kind: FactKind, posting: Posting | undefined, hours: number): boolean =>
  hours > 0 &&
  posting?.deletedAt != null &&
  FORFEITED_KINDS.includes(kind) &&
  Date.parse(posting.deletedAt) <= Date.parse(posting.occurredAt) + hours * MS_PER_HOUR;

/**
 * When a round of reports costs points: with the report that reaches the threshold in force at its time, or with the decision to
 * uphold the round, if the moderator or the rules of that time say so.
 */
export const penaltyDue = ({ reports, upheld }: ScoreFact, versions: readonly ScoringRules[]) => {
  const report = reports.find(
    ({ occurredAt }, index) => index + 1 >= rulesAt(versions, occurredAt).reportThreshold,
  );
  if (!upheld) return report;
  const counts = upheld.isFull || safeguardsOf(rulesAt(versions, upheld.occurredAt)).upheldReportsCount;
  if (!counts) return report;
  return report && report.ordinal < upheld.ordinal ? report : upheld;
};

/** Effects of a student's facts in a space, in log order. */
export const scoreEntriesOf = (
  facts: readonly ScoreFact[],
  versions: readonly ScoringRules[],
): ScoreEntry[] => {
  const postings = new Map(
    facts.filter(({ kind }) => isPosting(kind)).map((posting) => [posting.postId, posting]),
  );
  return facts
    .map((fact) => scoreEntryOf(fact, versions, postings.get(fact.postId)))
    .filter((entry) => entry !== undefined)
    .sort((left, right) => left.ordinal - right.ordinal);
};

const isPosting = (kind: FactKind): boolean => POSTING_KINDS.includes(kind);

const countOf = (entry: ScoreEntry, kind: FactKind): number => (entry.kind === kind ? 1 : 0);

const isCounting = ({ merit, impact }: ScoreEntry): boolean => merit !== 0 || impact !== 0;

/** Adds an entry, which must have a higher position than all entries before. */
export const stepScore = (score: Score, entry: ScoreEntry): Score => {
  const reputations = Math.max(MERIT_FLOOR, score.reputations + entry.merit);
  const commitments = score.commitments + entry.impact;
  return {
    reputations,
    commitments,
    score: reputations + commitments,
    lastOrdinal: isCounting(entry) ? entry.ordinal : score.lastOrdinal,
    questionsAsked: score.questionsAsked + countOf(entry, 'QUESTION_POSTED'),
    questionsAnswered: score.questionsAnswered + countOf(entry, 'ANSWER_POSTED'),
    answersAccepted: score.answersAccepted + countOf(entry, 'ANSWER_ACCEPTED'),
  };
};

/** A student's score in a space by replay in log order. The reference for all other computations. */
export const scoreFold = (facts: readonly ScoreFact[], versions: readonly ScoringRules[]): Score =>
  scoreEntriesOf(facts, versions).reduce(stepScore, initialScore);

export type Ranked = Pick<Score, 'score' | 'lastOrdinal'> & { readonly studentId: string };

/** Total order of the leaderboard: higher score, then who reached it first, then the bytes of the ID (`collate "C"` in SQL). */
export const rankOrder = (left: Ranked, right: Ranked): number => {
  if (left.score !== right.score) return right.score - left.score;
  if (left.lastOrdinal !== right.lastOrdinal) return left.lastOrdinal - right.lastOrdinal;
  if (left.studentId === right.studentId) return 0;
  return left.studentId < right.studentId ? -1 : 1;
};

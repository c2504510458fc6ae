import type { FactKind, ScoringRules } from '../events.js';
import type { ScoreFact } from './score-fact.js';
import { MERIT_FLOOR, rulesAt } from './scoring-rules.js';

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

/** Effect of a fact under the rules of its time; undefined if it is inactive or has too few reports. */
export const scoreEntryOf = (fact: ScoreFact, versions: readonly ScoringRules[]): ScoreEntry | undefined => {
  if (!fact.standing) return undefined;
  const { kind } = fact;
  const due = kind === 'POST_REPORTED' ? dueReport(fact, versions) : fact;
  if (!due) return undefined;
  return { ordinal: due.ordinal, kind, ...rulesAt(versions, due.occurredAt).weights[kind] };
};

/** First report that reaches the threshold in force at the time of that report. */
export const dueReport = ({ reports }: ScoreFact, versions: readonly ScoringRules[]) =>
  reports.find(({ occurredAt }, index) => index + 1 >= rulesAt(versions, occurredAt).reportThreshold);

const entriesOf = (facts: readonly ScoreFact[], versions: readonly ScoringRules[]): ScoreEntry[] =>
  facts
    .map((fact) => scoreEntryOf(fact, versions))
    .filter((entry) => entry !== undefined)
    .sort((left, right) => left.ordinal - right.ordinal);

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
  entriesOf(facts, versions).reduce(stepScore, initialScore);

export type Ranked = Pick<Score, 'score' | 'lastOrdinal'> & { readonly studentId: string };

/** Total order of the leaderboard: higher score, then who reached it first, then the bytes of the ID (`collate "C"` in SQL). */
export const rankOrder = (left: Ranked, right: Ranked): number => {
  if (left.score !== right.score) return right.score - left.score;
  if (left.lastOrdinal !== right.lastOrdinal) return left.lastOrdinal - right.lastOrdinal;
  if (left.studentId === right.studentId) return 0;
  return left.studentId < right.studentId ? -1 : 1;
};

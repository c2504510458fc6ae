import type { FactKind, ScoringRules } from '../events.js';
import type { ScoreFact } from './score-fact.js';
import { MERIT_FLOOR, rulesAt } from './scoring-rules.js';

/** A student's row of a space's leaderboard. */
export type Score = {
  /** Merit. */
  readonly reputations: number;
  /** Impact. */
  readonly commitments: number;
  readonly score: number;
  /** Of the latest standing fact that gives or takes points, 0 where there is none: ties go by it. */
  readonly lastOrdinal: number;
  readonly questionsAsked: number;
  readonly questionsAnswered: number;
  readonly answersAccepted: number;
};

/** A fact under rules: what it does to the score, and where in the log's order it does so. */
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

/** What the fact does under the rules of its moment; nothing where it does not stand or too few have reported. */
export const scoreEntryOf = (fact: ScoreFact, versions: readonly ScoringRules[]): ScoreEntry | undefined => {
  if (!fact.standing) return undefined;
  const { kind } = fact;
  const due = kind === 'POST_REPORTED' ? dueReport(fact, versions) : fact;
  if (!due) return undefined;
  return { ordinal: due.ordinal, kind, ...rulesAt(versions, due.occurredAt).weights[kind] };
};

/** The first report that is at least the threshold-th of its round, by the rules of that report's own moment. */
export const dueReport = ({ reports }: ScoreFact, versions: readonly ScoringRules[]) =>
  reports.find(({ occurredAt }, index) => index + 1 >= rulesAt(versions, occurredAt).reportThreshold);

const entriesOf = (facts: readonly ScoreFact[], versions: readonly ScoringRules[]): ScoreEntry[] =>
  facts
    .map((fact) => scoreEntryOf(fact, versions))
    .filter((entry) => entry !== undefined)
    .sort((left, right) => left.ordinal - right.ordinal);

const countOf = (entry: ScoreEntry, kind: FactKind): number => (entry.kind === kind ? 1 : 0);

const isCounting = ({ merit, impact }: ScoreEntry): boolean => merit !== 0 || impact !== 0;

/** The score after one more entry, whose ordinal is higher than all before. */
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

/** One student's score in one space: the replay in log order that every other computation must equal. */
export const scoreFold = (facts: readonly ScoreFact[], versions: readonly ScoringRules[]): Score =>
  entriesOf(facts, versions).reduce(stepScore, initialScore);

export type Ranked = Pick<Score, 'score' | 'lastOrdinal'> & { readonly studentId: string };

/**
 * Order of the leaderboard: the higher score, then who got there first, then the id by its bytes (`collate "C"` in SQL).
 * No two differ in nothing, so that ranks are 1, 2, 3 … without gaps.
 */
export const rankOrder = (left: Ranked, right: Ranked): number => {
  if (left.score !== right.score) return right.score - left.score;
  if (left.lastOrdinal !== right.lastOrdinal) return left.lastOrdinal - right.lastOrdinal;
  if (left.studentId === right.studentId) return 0;
  return left.studentId < right.studentId ? -1 : 1;
};

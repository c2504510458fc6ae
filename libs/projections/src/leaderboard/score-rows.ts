import {
  initialScore,
  latestVersion,
  type Score,
  scoreEntryOf,
  type ScoringRules,
  stepScore,
} from '@nimo/domain';
import type { Affected } from './affected-students.js';
import { leaderboard, type LeaderboardRow } from './leaderboard.tables.js';
import { factOf } from './score-facts.table.js';

export const SCORE_COLUMNS = Object.keys(leaderboard.columns).join(', ');

/** Whose row it is. */
type StudentKey = Pick<LeaderboardRow, 'space_id' | 'student_id'>;

export const keyOf = ({ spaceId, studentId }: Affected): StudentKey => ({
  space_id: spaceId,
  student_id: studentId,
});
export const identityOf = ({ space_id, student_id }: StudentKey): string => `${space_id} ${student_id}`;

/** As parameters of `unnest`: the spaces, and the students in them. */
export const keyValues = (keys: readonly StudentKey[]): [string[], string[]] => [
  keys.map(({ space_id }) => space_id),
  keys.map(({ student_id }) => student_id),
];

/** The keys that are `$1` and `$2`. */
export const KEYS = 'unnest($1::text[], $2::text[]) as k(space_id, student_id)';

const scoreOf = (row: LeaderboardRow): Score => ({
  reputations: row.merit,
  commitments: row.impact,
  score: row.score,
  lastOrdinal: row.last_ordinal,
  questionsAsked: row.questions_asked,
  questionsAnswered: row.questions_answered,
  answersAccepted: row.answers_accepted,
});

const rowOf = (student: Affected, score: Score, version: number): LeaderboardRow => ({
  ...keyOf(student),
  merit: score.reputations,
  impact: score.commitments,
  score: score.score,
  last_ordinal: score.lastOrdinal,
  questions_asked: score.questionsAsked,
  questions_answered: score.questionsAnswered,
  answers_accepted: score.answersAccepted,
  rules_version: version,
});

/** The student's row after facts that come after all others of that student, in the order of the log. */
export function stepped(
  row: LeaderboardRow | undefined,
  student: Affected,
  versions: readonly ScoringRules[],
): LeaderboardRow | undefined {
  const entries = student.changes
    .flatMap(({ after }) => (after ? [scoreEntryOf(factOf(after), versions)] : []))
    .filter((entry) => entry !== undefined)
    .sort((left, right) => left.ordinal - right.ordinal);
  if (entries.length === 0) return row;
  const score = entries.reduce(stepScore, row ? scoreOf(row) : initialScore);
  return rowOf(student, score, latestVersion(versions));
}

import {
  initialScore,
  latestVersion,
  type Score,
  scoreEntryOf,
  type ScoringRules,
  stepScore,
} from '@nimo/domain';
import type { BatchEnd, Projection, RowChange } from '../projection.js';
import { leaderboard, type LeaderboardRow, scoreBuckets } from './leaderboard.tables.js';
import { rescoreEverybody } from './rescore-everybody.js';
import { rescoreSql, weightRows } from './rescore.sql.js';
import {
  factOf,
  type ScoreFactRow,
  scoreFacts,
  scoringRules,
  type ScoringRulesRow,
} from './score-facts.table.js';
import { ADD_TO_BUCKETS, bucketSteps, REMOVE_EMPTY_BUCKETS } from './score-buckets.sql.js';

type Sql = Parameters<BatchEnd['run']>[1];
type FactChange = RowChange<ScoreFactRow>;

/** A student in a space, with what the batch did to that student's facts. */
interface Affected {
  readonly spaceId: string;
  readonly studentId: string;
  readonly changes: FactChange[];
}

function affectedStudents(changes: readonly FactChange[]): Affected[] {
  const affected = new Map<string, Affected>();
  for (const change of changes) {
    // The key is the facts' table's: it begins with the space and the student.
    const [spaceId, studentId] = change.key as readonly string[] as readonly [string, string];
    const identity = `${spaceId} ${studentId}`;
    const student = affected.get(identity) ?? { spaceId, studentId, changes: [] };
    affected.set(identity, student);
    student.changes.push(change);
  }
  return [...affected.values()];
}

/** A fact that comes after all others of its student; anything else changes the past, and the past is replayed. */
const isAtTheEnd = ({ before, after }: FactChange, firstOrdinal: number): boolean =>
  !before?.standing && !!after?.standing && after.kind !== 'POST_REPORTED' && after.ordinal >= firstOrdinal;

const changesNothing = ({ before, after }: FactChange): boolean => !before?.standing && !after?.standing;

async function versionsOf(sql: Sql): Promise<ScoringRules[]> {
  const rows = (await sql(
    'select version, rules from {scoring_rules} order by version',
  )) as ScoringRulesRow[];
  return rows.map(({ rules }) => rules);
}

const scoreOf = (row: LeaderboardRow): Score => ({
  reputations: row.merit,
  commitments: row.impact,
  score: row.score,
  lastOrdinal: row.last_ordinal,
  questionsAsked: row.questions_asked,
  questionsAnswered: row.questions_answered,
  answersAccepted: row.answers_accepted,
});

/** The student's row after facts at the end, in log order. */
function stepped(
  row: LeaderboardRow | undefined,
  { spaceId, studentId, changes }: Affected,
  versions: readonly ScoringRules[],
): LeaderboardRow | undefined {
  const entries = changes
    .flatMap(({ after }) => (after ? [scoreEntryOf(factOf(after), versions)] : []))
    .filter((entry) => entry !== undefined)
    .sort((left, right) => left.ordinal - right.ordinal);
  if (entries.length === 0) return row;
  const score = entries.reduce(stepScore, row ? scoreOf(row) : initialScore);
  return {
    space_id: spaceId,
    student_id: studentId,
    merit: score.reputations,
    impact: score.commitments,
    score: score.score,
    last_ordinal: score.lastOrdinal,
    questions_asked: score.questionsAsked,
    questions_answered: score.questionsAnswered,
    answers_accepted: score.answersAccepted,
    rules_version: latestVersion(versions),
  };
}

const COLUMNS = Object.keys(leaderboard.columns).join(', ');
const STUDENTS = 'unnest($1::text[], $2::text[]) as k(space_id, student_id)';

const pairs = (
  students: readonly { readonly spaceId: string; readonly studentId: string }[],
): [string[], string[]] => [
  students.map(({ spaceId }) => spaceId),
  students.map(({ studentId }) => studentId),
];

const identityOf = (row: Pick<LeaderboardRow, 'space_id' | 'student_id'>): string =>
  `${row.space_id} ${row.student_id}`;

async function rowsOf(sql: Sql, students: readonly Affected[]): Promise<Map<string, LeaderboardRow>> {
  const rows = (await sql(
    `select r.* from ${STUDENTS} cross join lateral (
       select ${COLUMNS} from {leaderboard} l where l.student_id = k.student_id and l.space_id = k.space_id offset 0) r`,
    pairs(students),
  )) as LeaderboardRow[];
  return new Map(rows.map((row) => [identityOf(row), row]));
}

/** Rows of students whose past changed, from all their facts. */
async function recomputed(
  sql: Sql,
  students: readonly Affected[],
  versions: readonly ScoringRules[],
): Promise<Map<string, LeaderboardRow>> {
  if (students.length === 0) return new Map();
  const scope = '(f.space_id, f.student_id) in (select * from unnest($2::text[], $3::text[]))';
  const rows = await sql(rescoreSql(scope), [JSON.stringify(weightRows(versions)), ...pairs(students)]);
  const version = latestVersion(versions);
  return new Map(
    rows
      .map((row) => ({ ...row, rules_version: version }) as LeaderboardRow)
      .map((row) => [identityOf(row), row]),
  );
}

interface ScoreChange {
  readonly student: Affected;
  readonly before: LeaderboardRow | undefined;
  readonly after: LeaderboardRow | undefined;
}

async function write(sql: Sql, changes: readonly ScoreChange[]): Promise<void> {
  const rows = changes.flatMap(({ after }) => (after ? [after] : []));
  const gone = changes.filter(({ after }) => !after).map(({ student }) => student);
  if (rows.length > 0) {
    await sql(
      `insert into {leaderboard} (${COLUMNS})
       select ${COLUMNS} from jsonb_populate_recordset(null::{leaderboard}, $1::jsonb)
       on conflict (student_id, space_id) do update set merit = excluded.merit, impact = excluded.impact,
         score = excluded.score, last_ordinal = excluded.last_ordinal, questions_asked = excluded.questions_asked,
         questions_answered = excluded.questions_answered, answers_accepted = excluded.answers_accepted,
         rules_version = excluded.rules_version`,
      [JSON.stringify(rows)],
    );
  }
  if (gone.length > 0) {
    await sql(
      `delete from {leaderboard} l using ${STUDENTS} where l.student_id = k.student_id and l.space_id = k.space_id`,
      pairs(gone),
    );
  }
  const steps = bucketSteps(changes);
  if (steps.length === 0) return;
  await sql(ADD_TO_BUCKETS, [JSON.stringify(steps)]);
  await sql(REMOVE_EMPTY_BUCKETS, [JSON.stringify(steps.filter(({ students }) => students < 0))]);
}

async function moveScores(sql: Sql, students: readonly Affected[], firstOrdinal: number): Promise<void> {
  const versions = await versionsOf(sql);
  const isStepped = ({ changes }: Affected) => changes.every((change) => isAtTheEnd(change, firstOrdinal));
  const replayed = await recomputed(
    sql,
    students.filter((student) => !isStepped(student)),
    versions,
  );
  const stored = await rowsOf(sql, students);
  const changes = students.map((student) => {
    const identity = `${student.spaceId} ${student.studentId}`;
    const before = stored.get(identity);
    const after = isStepped(student) ? stepped(before, student, versions) : replayed.get(identity);
    return { student, before, after };
  });
  await write(
    sql,
    changes.filter(({ before, after }) => before !== after),
  );
}

const batchEnd: BatchEnd = {
  tables: [leaderboard, scoreBuckets],
  async run(changes, sql, { events }) {
    const rulesChanged = (changes.get(scoringRules.name) ?? []).length > 0;
    if (rulesChanged) {
      const versions = await versionsOf(sql);
      return rescoreEverybody(sql, versions, latestVersion(versions));
    }
    // The rows are of the table that this projection declares under that name.
    const facts = (changes.get(scoreFacts.name) ?? []) as unknown as readonly FactChange[];
    const students = affectedStudents(facts.filter((change) => !changesNothing(change)));
    const [first] = events;
    if (first && students.length > 0) await moveScores(sql, students, first.ordinal);
  },
};

/** Scores and ranks of students in spaces: facts by folding, scores from the facts at the end of each batch. */
export const leaderboardProjection = {
  name: 'leaderboard',
  purpose: 'Score facts, scores and ranks',
  version: 2,
  tables: [scoreFacts, scoringRules],
  batchEnd,
} as const satisfies Projection;

import {
  initialScore,
  latestVersion,
  type Score,
  scoreEntryOf,
  type ScoringRules,
  stepScore,
} from '@nimo/domain';
import { givenToSchemaOwnerSql } from '@nimo/projection-engine';
import type { BatchEnd, Key, RowChange } from '../projection.js';
import {
  factOf,
  leaderboard,
  type LeaderboardRow,
  scoreBuckets,
  type ScoreFactRow,
} from './leaderboard.tables.js';
import {
  ADD_TO_BUCKETS,
  BUCKETS_OF_ALL,
  bucketSteps,
  REMOVE_EMPTY_BUCKETS,
  rescoreEverybodySql,
  rescoreSql,
  weightRows,
} from './rescore.sql.js';
import { beside, takePlaces } from './table-swap.js';

export type FactChange = RowChange<ScoreFactRow>;

/** A student in a space, with what the batch did to that student's facts. */
interface Affected {
  readonly spaceId: string;
  readonly studentId: string;
  readonly changes: readonly FactChange[];
}

export function affectedStudents(changes: readonly FactChange[]): Affected[] {
  const byStudent = new Map<string, { spaceId: string; studentId: string; changes: FactChange[] }>();
  for (const change of changes) {
    const [spaceId, studentId] = studentIn(change.key);
    const identity = `${spaceId} ${studentId}`;
    const student = byStudent.get(identity) ?? { spaceId, studentId, changes: [] };
    byStudent.set(identity, student);
    student.changes.push(change);
  }
  return [...byStudent.values()];
}

/** The key is the facts' table's: it begins with the space and the student. */
const studentIn = (key: Key): readonly [string, string] =>
  key as readonly string[] as readonly [string, string];

const SCORE_COLUMNS = Object.keys(leaderboard.columns).join(', ');

/** Whose row it is. */
type StudentKey = Pick<LeaderboardRow, 'space_id' | 'student_id'>;

const keyOf = ({ spaceId, studentId }: Affected): StudentKey => ({
  space_id: spaceId,
  student_id: studentId,
});
const identityOf = ({ space_id, student_id }: StudentKey): string => `${space_id} ${student_id}`;

/** As parameters of `unnest`: the spaces, and the students in them. */
const keyValues = (keys: readonly StudentKey[]): [string[], string[]] => [
  keys.map(({ space_id }) => space_id),
  keys.map(({ student_id }) => student_id),
];

/** The keys that are `$1` and `$2`. */
const KEYS = 'unnest($1::text[], $2::text[]) as k(space_id, student_id)';

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
function stepped(
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

type Sql = Parameters<BatchEnd['run']>[1];

async function publishedRules(sql: Sql): Promise<readonly ScoringRules[]> {
  const [row] = await sql(
    `select coalesce(jsonb_agg(rules order by version), '[]') as versions from {scoring_rules} where withdrawn_at is null`,
  );
  // The one row of an aggregate; the rules are as `scoringRules` folded them.
  return row?.['versions'] as ScoringRules[];
}

/** The row of a student; undefined where there is none. */
type RowOfStudent = (student: Affected) => LeaderboardRow | undefined;

function byStudent(rows: readonly LeaderboardRow[]): RowOfStudent {
  const found = new Map(rows.map((row) => [identityOf(row), row]));
  return (student) => found.get(identityOf(keyOf(student)));
}

// `offset 0`: a look by key for each student, whatever the planner thinks of so many.
const KEPT = `
  select l.* from ${KEYS}
  cross join lateral (
    select ${SCORE_COLUMNS} from {leaderboard} l where l.student_id = k.student_id and l.space_id = k.space_id offset 0
  ) l`;

/** The rows as they are before the batch. */
async function keptScores(sql: Sql, students: readonly Affected[]): Promise<RowOfStudent> {
  return byStudent((await sql(KEPT, keyValues(students.map(keyOf)))) as LeaderboardRow[]);
}

const FROM_FACTS = rescoreSql('(f.space_id, f.student_id) in (select * from unnest($2::text[], $3::text[]))');

/** The rows added up from all facts of the students; none where no fact counts. */
async function scoresFromFacts(
  sql: Sql,
  students: readonly Affected[],
  versions: readonly ScoringRules[],
): Promise<RowOfStudent> {
  if (students.length === 0) return () => undefined;
  const values = [JSON.stringify(weightRows(versions)), ...keyValues(students.map(keyOf))];
  const rows = (await sql(FROM_FACTS, values)) as Omit<LeaderboardRow, 'rules_version'>[];
  const rules_version = latestVersion(versions);
  return byStudent(rows.map((row) => ({ ...row, rules_version })));
}

/** A row before and after; the same object where nothing is to be written. */
interface RowStep {
  readonly before: LeaderboardRow | undefined;
  readonly after: LeaderboardRow | undefined;
}

const UPSERT = `
  insert into {leaderboard} (${SCORE_COLUMNS})
  select ${SCORE_COLUMNS} from jsonb_populate_recordset(null::{leaderboard}, $1::jsonb)
  on conflict (student_id, space_id) do update
  set (${SCORE_COLUMNS}) = row(${SCORE_COLUMNS.replaceAll(/\w+/g, 'excluded.$&')})`;

const REMOVE = `delete from {leaderboard} l using ${KEYS} where l.student_id = k.student_id and l.space_id = k.space_id`;

/** The rows, and the buckets that count them. */
async function writeLeaderboard(sql: Sql, steps: readonly RowStep[]): Promise<void> {
  const moved = steps.filter(({ before, after }) => before !== after);
  const written = moved.flatMap(({ after }) => after ?? []);
  const gone = moved.flatMap(({ before, after }) => (before && !after ? [before] : []));
  const buckets = bucketSteps(moved);
  const lowered = buckets.filter(({ students }) => students < 0);
  await Promise.all([
    ...(written.length > 0 ? [sql(UPSERT, [JSON.stringify(written)])] : []),
    ...(gone.length > 0 ? [sql(REMOVE, keyValues(gone))] : []),
    ...(buckets.length > 0 ? [sql(ADD_TO_BUCKETS, [JSON.stringify(buckets)])] : []),
    ...(lowered.length > 0 ? [sql(REMOVE_EMPTY_BUCKETS, [JSON.stringify(lowered)])] : []),
  ]);
}

/** A fact that comes after all others of its student; anything else changes the past, and the past is replayed. */
const isAtTheEnd = ({ before, after }: FactChange, begin: number): boolean =>
  !before?.standing && !!after?.standing && after.kind !== 'POST_REPORTED' && after.ordinal > begin;

/**
 * Moves the scores of the students to where the batch left their facts.
 * @param begin the ordinal after which the batch begins
 */
export async function moveScores(sql: Sql, students: readonly Affected[], begin: number): Promise<void> {
  const [versions, keptOf] = await Promise.all([publishedRules(sql), keptScores(sql, students)]);
  const isReplayed = ({ changes }: Affected) => changes.some((change) => !isAtTheEnd(change, begin));
  const fromFacts = await scoresFromFacts(sql, students.filter(isReplayed), versions);
  const steps = students.map((student) => {
    const before = keptOf(student);
    return { before, after: isReplayed(student) ? fromFacts(student) : stepped(before, student, versions) };
  });
  await writeLeaderboard(sql, steps);
}

/** One statement reads all facts: it may take memory and every processor, and its plan is made for it. */
const FOR_LARGE_STATEMENTS = `
  select set_config(name, value, true) from (values ('work_mem', '128MB'), ('maintenance_work_mem', '128MB'),
    ('enable_seqscan', 'on'), ('plan_cache_mode', 'force_custom_plan'), ('parallel_setup_cost', '100'),
    ('parallel_tuple_cost', '0.005')) as s(name, value)`;

/**
 * Makes all rows by the published rules, in new tables that take the places of those that are read, in the transaction of the checkpoint.
 * Until then readers see the former scores and afterwards the new ones, and no dead rows are left behind. `create table as` is the one way
 * to write what parallel workers read.
 */
export async function rescoreEverybody(sql: Sql): Promise<void> {
  const versions = await publishedRules(sql);
  await sql(FOR_LARGE_STATEMENTS);
  await sql(
    `create table ${beside(leaderboard)} as select ${Object.keys(leaderboard.columns).join(', ')}
     from (select scored.*, $2::integer as rules_version from (${rescoreEverybodySql()}) scored) rescored`,
    [JSON.stringify(weightRows(versions)), latestVersion(versions)],
  );
  await sql(
    `create table ${beside(scoreBuckets)} as ${BUCKETS_OF_ALL.replaceAll('{leaderboard}', beside(leaderboard))}`,
  );
  for (const shape of [leaderboard, scoreBuckets]) await sql(givenToSchemaOwnerSql('table', beside(shape)));
  await takePlaces(sql, [leaderboard, scoreBuckets]);
}

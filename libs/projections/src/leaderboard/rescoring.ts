import {
  initialScore,
  latestVersion,
  safeguardsOf,
  type Score,
  scoreEntryOf,
  type ScoringRules,
  stepScore,
} from '@nimo/domain';
import { assignToSchemaOwnerSql } from '@nimo/projection-engine';
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
  ALL_BUCKETS,
  bucketChanges,
  REMOVE_EMPTY_BUCKETS,
  rescoreAllSql,
  rescoreSql,
  weightRows,
} from './rescore.sql.js';
import { nextTable, swapTables } from './table-swap.js';

export type FactChange = RowChange<ScoreFactRow>;

/** A student in a space, with the changes a batch made to their facts. */
interface Affected {
  readonly spaceId: string;
  readonly studentId: string;
  readonly changes: readonly FactChange[];
}

export function affectedStudents(changes: readonly FactChange[]): Affected[] {
  const byStudent = new Map<string, { spaceId: string; studentId: string; changes: FactChange[] }>();
  for (const change of changes) {
    const [spaceId, studentId] = spaceAndStudentOf(change.key);
    const identity = `${spaceId} ${studentId}`;
    const student = byStudent.get(identity) ?? { spaceId, studentId, changes: [] };
    byStudent.set(identity, student);
    student.changes.push(change);
  }
  return [...byStudent.values()];
}

/** Keys of the facts table start with the space and the student. */
const spaceAndStudentOf = (key: Key): readonly [string, string] =>
  key as readonly string[] as readonly [string, string];

const SCORE_COLUMNS = Object.keys(leaderboard.columns).join(', ');

type StudentKey = Pick<LeaderboardRow, 'space_id' | 'student_id'>;

const keyOf = ({ spaceId, studentId }: Affected): StudentKey => ({
  space_id: spaceId,
  student_id: studentId,
});
const identityOf = ({ space_id, student_id }: StudentKey): string => `${space_id} ${student_id}`;

/** Parameters of `unnest`: space IDs and student IDs. */
const keyValues = (keys: readonly StudentKey[]): [string[], string[]] => [
  keys.map(({ space_id }) => space_id),
  keys.map(({ student_id }) => student_id),
];

/** The keys in `$1` and `$2`. */
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

/** The student's row after facts that follow all of their earlier ones. */
function applyNewFacts(
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
  // An aggregate returns one row; `scoringRules` wrote the rules.
  return row?.['versions'] as ScoringRules[];
}

type RowOfStudent = (student: Affected) => LeaderboardRow | undefined;

function byStudent(rows: readonly LeaderboardRow[]): RowOfStudent {
  const found = new Map(rows.map((row) => [identityOf(row), row]));
  return (student) => found.get(identityOf(keyOf(student)));
}

// `offset 0` forces a lookup by key for each student.
const CURRENT_ROWS = `
  select l.* from ${KEYS}
  cross join lateral (
    select ${SCORE_COLUMNS} from {leaderboard} l where l.student_id = k.student_id and l.space_id = k.space_id offset 0
  ) l`;

/** The rows before the batch. */
async function readScores(sql: Sql, students: readonly Affected[]): Promise<RowOfStudent> {
  return byStudent((await sql(CURRENT_ROWS, keyValues(students.map(keyOf)))) as LeaderboardRow[]);
}

const FROM_FACTS = rescoreSql('(f.space_id, f.student_id) in (select * from unnest($2::text[], $3::text[]))');

/** The rows calculated from all facts of the students. Students without scored facts have none. */
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

/** A row before and after the batch. The same object if unchanged. */
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

/** Writes the rows and updates their buckets. */
async function writeLeaderboard(sql: Sql, steps: readonly RowStep[]): Promise<void> {
  const moved = steps.filter(({ before, after }) => before !== after);
  const written = moved.flatMap(({ after }) => after ?? []);
  const removed = moved.flatMap(({ before, after }) => (before && !after ? [before] : []));
  const buckets = bucketChanges(moved);
  const decreased = buckets.filter(({ students }) => students < 0);
  await Promise.all([
    ...(written.length > 0 ? [sql(UPSERT, [JSON.stringify(written)])] : []),
    ...(removed.length > 0 ? [sql(REMOVE, keyValues(removed))] : []),
    ...(buckets.length > 0 ? [sql(ADD_TO_BUCKETS, [JSON.stringify(buckets)])] : []),
    ...(decreased.length > 0 ? [sql(REMOVE_EMPTY_BUCKETS, [JSON.stringify(decreased)])] : []),
  ]);
}

/** Whether the fact follows all others of its student and depends on none. Any other change requires a recalculation. */
const isAppended = ({ before, after }: FactChange, batchStart: number): boolean =>
  !before?.standing &&
  !!after?.standing &&
  after.kind !== 'POST_REPORTED' &&
  after.deleted_at === null &&
  !after.superseded &&
  after.ordinal > batchStart;

const ON_DELETED_POSTS = `
  select distinct f.space_id, f.student_id from {score_facts} f
  join unnest($1::text[], $2::text[], $3::text[]) as k(space_id, student_id, post_id)
    on k.student_id = f.student_id and k.space_id = f.space_id and k.post_id = f.post_id
  where f.deleted_at is not null`;

/** Students with new facts on posts that they have deleted, such as a vote cast at the same time. */
async function studentsWithDeletedPosts(
  sql: Sql,
  students: readonly Affected[],
  versions: readonly ScoringRules[],
): Promise<ReadonlySet<string>> {
  if (!versions.some((rules) => safeguardsOf(rules).deletionForfeitsWithinHours > 0)) return new Set();
  const facts = students.flatMap(({ changes }) => changes.flatMap(({ after }) => after ?? []));
  const posts = facts.map(({ post_id }) => post_id);
  const rows = (await sql(ON_DELETED_POSTS, [...keyValues(facts), posts])) as StudentKey[];
  return new Set(rows.map(identityOf));
}

/**
 * Updates the scores of students whose facts a batch changed.
 * @param batchStart ordinal before the first event of the batch
 */
export async function updateScores(
  sql: Sql,
  students: readonly Affected[],
  batchStart: number,
): Promise<void> {
  const [versions, currentOf] = await Promise.all([publishedRules(sql), readScores(sql, students)]);
  const onDeletedPosts = await studentsWithDeletedPosts(sql, students, versions);
  const isRecalculated = (student: Affected) =>
    onDeletedPosts.has(identityOf(keyOf(student))) ||
    student.changes.some((change) => !isAppended(change, batchStart));
  const fromFacts = await scoresFromFacts(sql, students.filter(isRecalculated), versions);
  const steps = students.map((student) => {
    const before = currentOf(student);
    return {
      before,
      after: isRecalculated(student) ? fromFacts(student) : applyNewFacts(before, student, versions),
    };
  });
  await writeLeaderboard(sql, steps);
}

/** Settings for a statement that reads all facts: more memory, parallel workers and a custom plan. */
const LARGE_STATEMENT_SETTINGS = `
  select set_config(name, value, true) from (values ('work_mem', '128MB'), ('maintenance_work_mem', '128MB'),
    ('enable_seqscan', 'on'), ('plan_cache_mode', 'force_custom_plan'), ('parallel_setup_cost', '100'),
    ('parallel_tuple_cost', '0.005')) as s(name, value)`;

/**
 * Recalculates all scores by the published rules into new tables and swaps them with the current ones in the checkpoint's
 * transaction. Readers see either the old or the new scores, and no dead rows remain. Uses `create table as` because no other
 * write statement reads with parallel workers.
 */
export async function rescoreAll(sql: Sql): Promise<void> {
  const versions = await publishedRules(sql);
  await sql(LARGE_STATEMENT_SETTINGS);
  await sql(
    `create table ${nextTable(leaderboard)} as select ${Object.keys(leaderboard.columns).join(', ')}
     from (select scored.*, $2::integer as rules_version from (${rescoreAllSql()}) scored) rescored`,
    [JSON.stringify(weightRows(versions)), latestVersion(versions)],
  );
  await sql(
    `create table ${nextTable(scoreBuckets)} as ${ALL_BUCKETS.replaceAll('{leaderboard}', nextTable(leaderboard))}`,
  );
  for (const shape of [leaderboard, scoreBuckets])
    await sql(assignToSchemaOwnerSql('table', nextTable(shape)));
  await swapTables(sql, [leaderboard, scoreBuckets]);
}

import { latestVersion, type ScoringRules } from '@nimo/domain';
import type { BatchEnd } from '../projection.js';
import type { Affected } from './affected-students.js';
import type { LeaderboardRow } from './leaderboard.tables.js';
import { rescoreSql, weightRows } from './rescore.sql.js';
import { identityOf, keyOf, KEYS, keyValues, SCORE_COLUMNS } from './score-rows.js';

type Sql = Parameters<BatchEnd['run']>[1];

export async function publishedRules(sql: Sql): Promise<readonly ScoringRules[]> {
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
export async function keptScores(sql: Sql, students: readonly Affected[]): Promise<RowOfStudent> {
  return byStudent((await sql(KEPT, keyValues(students.map(keyOf)))) as LeaderboardRow[]);
}

const FROM_FACTS = rescoreSql('(f.space_id, f.student_id) in (select * from unnest($2::text[], $3::text[]))');

/** The rows added up from all facts of the students; none where no fact counts. */
export async function scoresFromFacts(
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

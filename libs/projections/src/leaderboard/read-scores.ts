import { latestVersion, type ScoringRules } from '@nimo/domain';
import type { BatchEnd } from '../projection.js';
import type { Affected } from './affected-students.js';
import type { LeaderboardRow } from './leaderboard.tables.js';
import { publicFactsSql } from './pending-casts.js';
import { rescoreSql, weightRows } from './rescore.sql.js';
import { identityOf, type KeptRows, keyOf, KEYS, keyValues, SCORE_COLUMNS } from './score-rows.js';

type Sql = Parameters<BatchEnd['run']>[1];

/** What is kept of a student before the batch, and whether a cast is pending after it. */
export type Kept = KeptRows & { readonly is_pending: boolean };

// `offset 0`: a look by key for each student, whatever the planner thinks of so many.
const KEPT = `
  select k.space_id, k.student_id, case when l.student_id is not null then to_jsonb(l) end as seen,
    case when o.student_id is not null then to_jsonb(o) end as own,
    exists(select from {pending_casts} p where p.space_id = k.space_id and p.student_id = k.student_id) as is_pending
  from ${KEYS}
  left join lateral (
    select ${SCORE_COLUMNS} from {leaderboard} l where l.student_id = k.student_id and l.space_id = k.space_id offset 0
  ) l on true
  left join lateral (
    select ${SCORE_COLUMNS}, has_facts from {own_scores} o where o.student_id = k.student_id and o.space_id = k.space_id offset 0
  ) o on true`;

/** @returns what is kept of each of the students, who all have an answer */
export async function keptScores(
  sql: Sql,
  students: readonly Affected[],
): Promise<(student: Affected) => Kept> {
  const rows = (await sql(KEPT, keyValues(students.map(keyOf)))) as unknown as Kept[];
  const byStudent = new Map(rows.map((row) => [identityOf(row), row]));
  return (student) => {
    const kept = byStudent.get(identityOf(keyOf(student)));
    if (!kept) throw new Error(`no answer about student ${student.studentId}`);
    return kept;
  };
}

const IN_SCOPE = '(f.space_id, f.student_id) in (select * from unnest($2::text[], $3::text[]))';

/** From which facts a score is added up: from all of them, or from those that others see. */
const STATEMENTS = {
  all: rescoreSql(IN_SCOPE),
  public: rescoreSql('true', publicFactsSql(IN_SCOPE)),
} as const;

/** @returns the row of each of the students, added up from their facts; undefined where none counts */
export async function scoresFromFacts(
  sql: Sql,
  facts: keyof typeof STATEMENTS,
  students: readonly Affected[],
  versions: readonly ScoringRules[],
): Promise<(student: Affected) => LeaderboardRow | undefined> {
  if (students.length === 0) return () => undefined;
  const values = [JSON.stringify(weightRows(versions)), ...keyValues(students.map(keyOf))];
  const rows = (await sql(STATEMENTS[facts], values)) as Omit<LeaderboardRow, 'rules_version'>[];
  const rules_version = latestVersion(versions);
  const byStudent = new Map(rows.map((row) => [identityOf(row), { ...row, rules_version }]));
  return (student) => byStudent.get(identityOf(keyOf(student)));
}

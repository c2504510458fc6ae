import type { QueryResultRow } from 'pg';
import type { Queryable, Statement } from '../queryable.js';
import { EventHistory } from './event-history.fixture.js';
import { openReadSide, type ReadSide } from './read-side.fixture.js';

const COPIES = 5_000;

/** A small history with thousands of copies of its rows under other ids, because query plans depend on table sizes. */
export async function openLargeReadSide() {
  const side = await openReadSide();
  const past = new EventHistory();
  const spaceId = past.newSpace();
  const { subjectId, topicId, ...place } = past.newTopic(spaceId, past.newSubject(spaceId));
  const [ada, ben] = [past.newStudent(), past.newStudent()];
  past.join(ada, spaceId);
  const questionId = past.ask(ada, { subjectId, topicId, ...place });
  const answerId = past.answer(ben, questionId);
  past.comment(ada, answerId);
  past.vote(ben, questionId, 'UP');
  past.save(ben, questionId);
  await side.record(past);
  await copyRows(side, 'students', ['student_id', 'user_name']);
  await copyRows(side, 'questions', ['question_id', 'author_id']);
  await copyRows(side, 'answers', ['answer_id', 'question_id']);
  await copyRows(side, 'comments', ['comment_id', 'parent_id', 'question_id']);
  await copyRows(side, 'votes', ['post_id', 'voter_id']);
  await copyRows(side, 'post_votes', ['post_id']);
  await copyRows(side, 'bookmarks', ['question_id', 'student_id']);
  await copyRows(side, 'memberships', ['student_id']);
  await copyRows(side, 'leaderboard', ['student_id']);
  await copyRows(side, 'search_documents', ['document_id', 'space_id']);
  await copyRows(side, 'search_names', ['name_id']);
  return {
    ...side,
    seen: { spaceId, subjectId, topicId, ada, questionId, answerId },
    largeScansOf: (run: (db: Queryable) => Promise<unknown>) => largeScansOf(side, run),
  };
}

export type LargeReadSide = Awaited<ReturnType<typeof openLargeReadSide>>;

async function copyRows({ pool }: ReadSide, table: string, varied: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ name: string; columns: string[] }>(
    `select c.table_name as name, array_agg(c.column_name::text order by c.ordinal_position) as columns
     from information_schema.columns c where c.table_schema = 'read' and c.table_name = $1 || '__g1' group by 1`,
    [table],
  );
  const [found] = rows;
  if (!found) throw new Error(`no table found for ${table}`);
  const values = found.columns.map((column) =>
    varied.includes(column) ? `t.${column} || '-' || n` : `t.${column}`,
  );
  await pool.query(
    `insert into read.${found.name} (${found.columns.join(', ')})
     select ${values.join(', ')} from read.${table} t, generate_series(1, ${COPIES}) n`,
  );
  await pool.query(`analyze read.${found.name}`);
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Runs the query's single statement under EXPLAIN ANALYZE and returns its large sequential scans and sorts. */
async function largeScansOf({ pool }: ReadSide, run: (db: Queryable) => Promise<unknown>): Promise<string[]> {
  const plans: Plan[] = [];
  const explaining: Queryable = {
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- required by the interface
    async query<R extends QueryResultRow>({ text, values }: Statement): Promise<{ rows: R[] }> {
      const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
        text: `explain (analyze, format json) ${text}`,
        values: values ?? [],
      });
      for (const row of rows) plans.push(row['QUERY PLAN'][0].Plan);
      return { rows: [] };
    },
  };
  await run(explaining);
  if (plans.length !== 1) throw new Error(`expected one statement, got ${plans.length}`);
  return plans
    .flatMap(nodesOf)
    .filter((node) => /Seq Scan|Sort/.test(node['Node Type']))
    .filter((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) > 1_000)
    .map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`);
}

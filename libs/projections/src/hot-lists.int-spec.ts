import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TimeSlice } from '@nimo/projection-engine';
import type { QueryResultRow } from 'pg';
import { findLeaderboardScore, pageOfLeaderboard } from './leaderboard/leaderboard.queries.js';
import { pageOfAnswers } from './questions/answers.queries.js';
import { listCommentsOf, pageOfComments } from './questions/comments.queries.js';
import { readPublicQuestion } from './questions/public-question.queries.js';
import {
  findQuestionById,
  listSavedQuestionIds,
  pageOfQuestions,
  pageOfUnsolvedQuestions,
} from './questions/question-pages.queries.js';
import type { Queryable, Statement } from './queryable.js';
import { nameSource, postSource } from './search/embedded/sources.js';
import { postHits } from './search/post-hits.js';
import { findAuthorsByIds, findStudentByUserName, searchMembers } from './students/students.queries.js';
import { Past } from './testing/past.fixture.js';
import { openReadSide, type ReadSide } from './testing/read-side.fixture.js';

const COPIES = 5_000;
let side: ReadSide;
let seen: {
  spaceId: string;
  subjectId: string;
  topicId: string;
  ada: string;
  questionId: string;
  answerId: string;
};

/** A small history, and thousands of copies of its rows under other ids: plans are about sizes, not about meaning. */
beforeAll(async () => {
  side = await openReadSide();
  const past = new Past();
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
  seen = { spaceId, subjectId, topicId, ada, questionId, answerId };
  await copyRows('students', ['student_id', 'user_name']);
  await copyRows('questions', ['question_id', 'author_id']);
  await copyRows('answers', ['answer_id', 'question_id']);
  await copyRows('comments', ['comment_id', 'parent_id', 'question_id']);
  await copyRows('votes', ['post_id', 'voter_id']);
  await copyRows('post_votes', ['post_id']);
  await copyRows('bookmarks', ['question_id', 'student_id']);
  await copyRows('memberships', ['student_id']);
  await copyRows('leaderboard', ['student_id']);
  await copyRows('search_documents', ['document_id', 'space_id']);
  await copyRows('search_names', ['name_id']);
});
afterAll(() => side.close());

async function copyRows(table: string, varied: readonly string[]): Promise<void> {
  const { rows } = await side.pool.query<{ name: string; columns: string[] }>(
    `select c.table_name as name, array_agg(c.column_name::text order by c.ordinal_position) as columns
     from information_schema.columns c where c.table_schema = 'read' and c.table_name = $1 || '__g1' group by 1`,
    [table],
  );
  const [found] = rows;
  if (!found) throw new Error(`no table behind ${table}`);
  const values = found.columns.map((column) =>
    varied.includes(column) ? `t.${column} || '-' || n` : `t.${column}`,
  );
  await side.pool.query(
    `insert into read.${found.name} (${found.columns.join(', ')})
     select ${values.join(', ')} from read.${table} t, generate_series(1, ${COPIES}) n`,
  );
  await side.pool.query(`analyze read.${found.name}`);
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Runs the query's one statement under EXPLAIN ANALYZE and tells what it scanned from end to end. */
async function largeScansOf(run: (db: Queryable) => Promise<unknown>): Promise<string[]> {
  const plans: Plan[] = [];
  const explaining: Queryable = {
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as the interface has it
    async query<R extends QueryResultRow>({ text, values }: Statement): Promise<{ rows: R[] }> {
      const { rows } = await side.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
        text: `explain (analyze, format json) ${text}`,
        values: values ?? [],
      });
      for (const row of rows) plans.push(row['QUERY PLAN'][0].Plan);
      return { rows: [] };
    },
  };
  await run(explaining);
  expect(plans).toHaveLength(1);
  return plans
    .flatMap(nodesOf)
    .filter((node) => /Seq Scan|Sort/.test(node['Node Type']))
    .filter((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) > 1_000)
    .map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`);
}

const HOT: readonly (readonly [string, (db: Queryable) => Promise<unknown>])[] = [
  ['the first page', (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada })],
  ['a later page', (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada, page: 9 })],
  [
    'most answered',
    (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada, sort: 'MOST_ANSWERED' }),
  ],
  [
    'of a subject',
    (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada, subjectId: seen.subjectId }),
  ],
  [
    'of a topic',
    (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada, topicId: seen.topicId }),
  ],
  ['my questions', (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada, isMine: true })],
  [
    'saved questions',
    (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada, isSaved: true }),
  ],
  ['unsolved questions', (db) => pageOfUnsolvedQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada })],
  ['one question', (db) => findQuestionById(db, seen.questionId, seen.ada)],
  ['its answers', (db) => pageOfAnswers(db, { questionIds: [seen.questionId], viewerId: seen.ada })],
  [
    'its public page',
    (db) => readPublicQuestion(db, { questionId: seen.questionId, limit: 20, bodyBytes: 128 * 1024 }),
  ],
  ['their comments', (db) => listCommentsOf(db, [seen.answerId])],
  ['its comments', (db) => pageOfComments(db, { parentIds: [seen.questionId], viewerId: seen.ada })],
  ['saved ids', (db) => listSavedQuestionIds(db, seen.ada, seen.spaceId)],
  ['authors', (db) => findAuthorsByIds(db, [seen.ada])],
  ['a log-in', (db) => findStudentByUserName(db, 'nobody')],
  [
    'mentions of a letter',
    (db) => searchMembers(db, { spaceId: seen.spaceId, search: 'u', skip: 0, limit: 10 }),
  ],
  [
    'mentions of a part',
    (db) => searchMembers(db, { spaceId: seen.spaceId, search: '-4999', skip: 0, limit: 10 }),
  ],
  ['the leaderboard', (db) => pageOfLeaderboard(db, { spaceId: seen.spaceId, viewerId: seen.ada })],
  ['what is newer for the search', (db) => postSource('QUESTION').read(db, seen.spaceId, 0, 500)],
  [
    'names that are newer for the search',
    (db) => nameSource('PERSON').read(db, seen.spaceId, 1_000_000, 500),
  ],
  ['the newest name for the search', (db) => nameSource('PERSON').first.head(db)],
  [
    'the texts of hits',
    (db) =>
      postHits(
        db,
        { text: '', spaceId: seen.spaceId, sort: 'BEST', skip: 0, limit: 10 },
        [{ id: seen.questionId, isMatch: () => false }],
        new TimeSlice(),
      ),
  ],
  [
    'own rank',
    (db) => findLeaderboardScore(db, { spaceId: seen.spaceId, studentId: seen.ada, viewerId: seen.ada }),
  ],
];

it.each(HOT)('reads %s without scanning or sorting a table', async (_, run) => {
  expect(await largeScansOf(run)).toEqual([]);
});

it('would notice a scan', async () => {
  const scans = await largeScansOf((db) =>
    db.query({ text: 'select title from read.questions order by body' }),
  );
  expect(scans).toEqual(['Sort ', 'Seq Scan questions__g1']);
});

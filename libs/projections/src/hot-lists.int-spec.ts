import { afterAll, beforeAll, expect, it } from '@jest/globals';
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
import type { Queryable } from './queryable.js';
import { findAuthorsByIds, findStudentByUserName, searchMembers } from './students/students.queries.js';
import { type LargeReadSide, openLargeReadSide } from './testing/large-read-side.fixture.js';

let side: LargeReadSide;
let seen: LargeReadSide['seen'];

beforeAll(async () => {
  side = await openLargeReadSide();
  ({ seen } = side);
});
afterAll(() => side.close());

const HOT: readonly (readonly [string, (db: Queryable) => Promise<unknown>])[] = [
  ['the first page', (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada })],
  ['a later page', (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada, page: 9 })],
  [
    'the most answered questions',
    (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada, sort: 'MOST_ANSWERED' }),
  ],
  [
    'a subject',
    (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada, subjectId: seen.subjectId }),
  ],
  [
    'a topic',
    (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada, topicId: seen.topicId }),
  ],
  ['my questions', (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada, isMine: true })],
  [
    'saved questions',
    (db) => pageOfQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada, isSaved: true }),
  ],
  ['unsolved questions', (db) => pageOfUnsolvedQuestions(db, { spaceId: seen.spaceId, viewerId: seen.ada })],
  ['a question', (db) => findQuestionById(db, seen.questionId, seen.ada)],
  [
    'the answers to a question',
    (db) => pageOfAnswers(db, { questionIds: [seen.questionId], viewerId: seen.ada }),
  ],
  [
    'a public page',
    (db) => readPublicQuestion(db, { questionId: seen.questionId, limit: 20, bodyBytes: 128 * 1024 }),
  ],
  ['the comments on an answer', (db) => listCommentsOf(db, [seen.answerId])],
  [
    'the comments on a question',
    (db) => pageOfComments(db, { parentIds: [seen.questionId], viewerId: seen.ada }),
  ],
  ['saved question IDs', (db) => listSavedQuestionIds(db, seen.ada, seen.spaceId)],
  ['authors', (db) => findAuthorsByIds(db, [seen.ada])],
  ['a student by username', (db) => findStudentByUserName(db, 'unknown')],
  [
    'mentions by first letter',
    (db) => searchMembers(db, { spaceId: seen.spaceId, search: 'u', skip: 0, limit: 10 }),
  ],
  [
    'mentions by part of a name',
    (db) => searchMembers(db, { spaceId: seen.spaceId, search: '-4999', skip: 0, limit: 10 }),
  ],
  ['the leaderboard', (db) => pageOfLeaderboard(db, { spaceId: seen.spaceId, viewerId: seen.ada })],
  [
    'a rank',
    (db) => findLeaderboardScore(db, { spaceId: seen.spaceId, studentId: seen.ada, viewerId: seen.ada }),
  ],
];

it.each(HOT)('reads %s without scanning or sorting a table', async (_, run) => {
  expect(await side.largeScansOf(run)).toEqual([]);
});

it('detects a scan', async () => {
  const scans = await side.largeScansOf((db) =>
    db.query({ text: 'select title from read.questions order by body' }),
  );
  expect(scans).toEqual(['Sort ', 'Seq Scan questions__g1']);
});

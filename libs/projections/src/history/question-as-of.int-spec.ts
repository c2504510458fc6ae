import { InMemoryEventStore } from '@nimo/event-store/testing';
import { describe, expect, it } from '@jest/globals';
import { findQuestionById } from '../questions/question-pages.queries.js';
import { pageOfAnswers } from '../questions/answers.queries.js';
import { listCommentsOf } from '../questions/comments.queries.js';
import { readPublicQuestion } from '../questions/public-question.queries.js';
import { EventHistory } from '../testing/event-history.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { rangeOfQuestion } from './history-marks.js';
import { readQuestionHistory, viewQuestionAsOf, type QuestionAsOfView } from './question-as-of.js';

/** A log with the same appends as the one of the read side. */
async function logOf(past: EventHistory): Promise<InMemoryEventStore> {
  const store = new InMemoryEventStore();
  await store.append(past.appends);
  return store;
}

/** The live page for an anonymous visitor. */
async function livePage(side: ReadSide, questionId: string): Promise<QuestionAsOfView | undefined> {
  const question = await findQuestionById(side.pool, questionId, null);
  if (!question) return undefined;
  const { docs } = await pageOfAnswers(side.pool, { questionIds: [questionId], viewerId: null });
  const [own = [], ...ofAnswers] = await listCommentsOf(side.pool, [
    questionId,
    ...docs.map(({ _id }) => _id),
  ]);
  const answers = docs.map((answer, index) => ({ ...answer, comments: ofAnswers[index] ?? [] }));
  const query = { questionId, limit: 100, bodyBytes: 1_000_000 };
  // The public page reads the same in one statement.
  expect((await readPublicQuestion(side.pool, query))?.view).toEqual({
    question,
    comments: own,
    answers: answers.map(({ comments, ...answer }) => ({ answer, comments })),
    isHidden: false,
  });
  return {
    state: 'VISIBLE',
    question,
    comments: own,
    answers,
  };
}

const questionsOf = (past: EventHistory): string[] =>
  past.events.flatMap((event) => (event.type === 'QuestionAsked' ? [event.data.questionId] : []));

describe('a question’s page at an earlier time', () => {
  it.each([11, 12])('equals the live page of that time, in random history %i', async (seed) => {
    const past = randomHistory(seed * 3_001, 350);
    const [side, log] = [await openReadSide(), await logOf(past)];
    try {
      const recorded = new Map<string, QuestionAsOfView | undefined>();
      const stops = [0.3, 0.6, 0.8, 1].map((part) => Math.ceil(part * past.events.length));
      for (const stop of stops) {
        await side.record(past, stop);
        for (const questionId of questionsOf(past))
          recorded.set(`${stop} ${questionId}`, await livePage(side, questionId));
      }
      // Names are current ones, so everything else is compared.
      const withoutNames = (view: QuestionAsOfView | undefined) =>
        JSON.parse(
          JSON.stringify(view ?? null, (key, value: unknown) =>
            ['author', 'space', 'subject', 'topic', 'tags', 'mentions', 'words'].includes(key)
              ? undefined
              : value,
          ).replaceAll(/@\[[^\]]*\]/g, '@[]'),
        ) as unknown;
      for (const questionId of questionsOf(past)) {
        const history = await readQuestionHistory(side.pool, log, questionId);
        for (const stop of stops) {
          const view = await viewQuestionAsOf(side.pool, history, { by: 'ordinal', ordinal: stop });
          const live = recorded.get(`${stop} ${questionId}`);
          if (live) expect(withoutNames(view)).toEqual(withoutNames(live));
          else expect(view.state).not.toBe('VISIBLE');
        }
        const now = await viewQuestionAsOf(side.pool, history, {
          by: 'ordinal',
          ordinal: past.events.length,
        });
        const live = await livePage(side, questionId);
        if (live) expect(now).toEqual(live);
      }
    } finally {
      await side.close();
    }
  });

  it('leaves out later edits, votes and removals, by ordinal and by time', async () => {
    const past = new EventHistory();
    const spaceId = past.newSpace();
    const place = past.newTopic(spaceId, past.newSubject(spaceId));
    const [author, voter] = [past.newStudent(), past.newStudent()];
    const questionId = past.ask(author, place, { title: 'First title' });
    const asked = past.events.length;
    past.vote(voter, questionId, 'UP');
    const answerId = past.answer(voter, questionId);
    const answered = past.events.at(-1)?.metadata.occurredAt ?? '';
    past.editQuestion(questionId, 'Second title');
    past.vote(voter, questionId, 'UP');
    past.deleteAnswer(answerId);
    past.deleteQuestion(questionId);
    const [side, log] = [await openReadSide(), await logOf(past)];
    try {
      await side.record(past);
      const history = await readQuestionHistory(side.pool, log, questionId);
      const at = (ordinal: number) => viewQuestionAsOf(side.pool, history, { by: 'ordinal', ordinal });
      expect(await at(asked - 1)).toEqual({
        state: 'NOT_ASKED_YET',
        question: null,
        answers: [],
        comments: [],
      });
      expect(await at(asked)).toMatchObject({
        state: 'VISIBLE',
        question: { title: 'First title', upvoteCount: 0, answerCount: 0 },
        answers: [],
      });
      const byTime = await viewQuestionAsOf(side.pool, history, { by: 'moment', at: answered });
      expect(byTime).toMatchObject({
        question: { title: 'First title', upvoteCount: 1, answerCount: 1 },
        answers: [{ _id: answerId, upvoteCount: 0, comments: [] }],
      });
      expect(await at(past.events.length)).toMatchObject({
        state: 'REMOVED',
        question: { title: 'Second title', upvoteCount: 0, answerCount: 0 },
        answers: [],
      });
      expect(rangeOfQuestion(history)).toMatchObject({
        firstOrdinal: asked,
        lastOrdinal: past.events.length,
        marks: [
          { ordinal: asked, kind: 'QuestionAsked' },
          { kind: 'VoteCast' },
          { kind: 'AnswerPosted' },
          {},
          {},
          {},
          {},
        ],
      });
      expect(rangeOfQuestion(await readQuestionHistory(side.pool, log, 'unknown'))).toBeNull();
    } finally {
      await side.close();
    }
  });

  it('shows as many answers and comments as the live page', async () => {
    const past = new EventHistory();
    const spaceId = past.newSpace();
    const [ada, ben] = [past.newStudent(), past.newStudent()];
    past.join(ada, spaceId);
    past.join(ben, spaceId);
    const questionId = past.ask(ada, past.newTopic(spaceId, past.newSubject(spaceId)));
    const answers = Array.from({ length: 103 }, () => past.answer(ben, questionId));
    past.accept(answers.at(-1) ?? '');
    const [first = questionId, second = questionId] = answers;
    for (let comment = 0; comment < 102; comment += 1) past.comment(ada, questionId, `${comment}`);
    for (let comment = 0; comment < 102; comment += 1) past.comment(ada, first, `${comment}`);
    for (const answerId of answers) for (const text of ['a', 'b', 'c']) past.comment(ada, answerId, text);
    past.comment(ada, second);
    const [side, log] = [await openReadSide(), await logOf(past)];
    try {
      await side.record(past);
      const history = await readQuestionHistory(side.pool, log, questionId);
      const view = await viewQuestionAsOf(side.pool, history, { by: 'ordinal', ordinal: past.events.length });
      expect([view.answers.length, view.comments.length, view.question?.answerCount]).toEqual([
        100, 100, 103,
      ]);
      expect(view).toEqual(await livePage(side, questionId));
    } finally {
      await side.close();
    }
  });
});

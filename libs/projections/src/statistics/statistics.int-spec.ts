import { answerStream, moderationStream, questionStream } from '@nimo/domain';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { historySeed } from '@nimo/testing';
import { READ_TYPES } from '@nimo/projection-engine';
import { projectionContract } from '@nimo/projection-engine/testing';
import { EventHistory } from '../testing/event-history.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { findSolvedShare, listSubjectClarity, listWorkload } from './statistics.queries.js';
import { statisticsProjection } from './statistics.tables.js';

const HOUR = 3_600_000;
const EVER = { from: '0000-01-01', to: '9999-12-31' };

const seed = historySeed();
// Spread over days, so that the counters have several days per question.
projectionContract(statisticsProjection, (given) => randomHistory(given, 500, 7 * HOUR));

let side: ReadSide;
beforeEach(async () => {
  side = await openReadSide();
});
afterEach(() => side.close());

function begin(stepMs: number) {
  const past = new EventHistory(undefined, stepMs);
  const spaceId = past.newSpace();
  const place = past.newTopic(spaceId, past.newSubject(spaceId, 'Physics'));
  const other = past.newTopic(spaceId, past.newSubject(spaceId, 'Music'));
  const [asker, helper] = [past.newStudent(), past.newStudent()];
  return { past, spaceId, place, other, asker, helper };
}

const read = async (spaceId: string, subjectIds?: readonly string[]) => {
  const options = { spaceId, subjectIds, ...EVER };
  const [workload, clarity, share] = await Promise.all([
    listWorkload(side.pool, options),
    listSubjectClarity(side.pool, options),
    findSolvedShare(side.pool, options),
  ]);
  return { workload, clarity, share };
};

/** Recounts the counters from their source rows. */
async function expectCountersToMatch(): Promise<void> {
  const { rows } = await side.pool.query({
    types: READ_TYPES,
    text: `
      with counted as (
        select space_id, to_char(asked_at at time zone 'UTC', 'YYYY-MM-DD') as day, subject_id, 1 as questions, 0 as answers,
          (answers @> jsonb_build_array(jsonb_build_object('answerId', chosen_answer_id)))::int as solved, (jsonb_array_length(answers) > 0)::int as answered
        from read.question_courses where not is_removed
        union all
        select space_id, left(a ->> 'at', 10), subject_id, 0, 1, 0, 0
        from read.question_courses, jsonb_array_elements(answers) a where not is_removed
      ), expected as (
        select space_id, day, subject_id, sum(questions) as questions, sum(answers) as answers, sum(solved) as solved,
          sum(answered) as answered from counted group by 1, 2, 3
      ), kept as (
        select space_id, day, subject_id, questions, answers, solved, within_hour + within_day + within_week + later as answered
        from read.activity_days
      )
      (table expected except table kept) union all (table kept except table expected)`,
  });
  expect(rows).toEqual([]);
}

describe(`statistics of a space (NIMO_HISTORY_SEED=${seed})`, () => {
  it('match a recount in a random history', async () => {
    await side.record(randomHistory(seed, 500, 7 * HOUR));
    await expectCountersToMatch();
  });

  it('count questions and answers by day, and agree with the totals', async () => {
    const { past, spaceId, place, other, asker, helper } = begin(24 * HOUR);
    const questionId = past.ask(asker, place);
    past.answer(helper, questionId);
    past.accept(past.answer(helper, questionId));
    past.ask(asker, other);
    await side.record(past);
    const { workload, clarity, share } = await read(spaceId);
    expect(workload.map(({ questions, answers }) => [questions, answers])).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
      [1, 0],
    ]);
    expect(share).toEqual({ questions: 2, solved: 1 });
    expect(clarity).toMatchObject([
      { subject: { subjectName: 'Music' }, questions: 1, unsolved: 1, unanswered: 1 },
      { subject: { subjectName: 'Physics' }, questions: 1, solved: 1, withinDay: 1, unanswered: 0 },
    ]);
  });

  it('filter by subjects and days', async () => {
    const { past, spaceId, place, other, asker } = begin(24 * HOUR);
    past.ask(asker, place);
    past.ask(asker, other);
    await side.record(past);
    const physics = await read(spaceId, [place.subjectId]);
    expect(physics.workload).toHaveLength(1);
    expect(physics.clarity).toMatchObject([{ subject: { subjectName: 'Physics' } }]);
    expect(physics.share).toEqual({ questions: 1, solved: 0 });
    const day = physics.workload[0]?.day ?? '';
    expect(await listWorkload(side.pool, { spaceId, from: day, to: day })).toHaveLength(1);
  });

  it.each([
    [HOUR, 'withinHour'],
    [24 * HOUR, 'withinDay'],
    [7 * 24 * HOUR, 'withinWeek'],
    [8 * 24 * HOUR, 'later'],
  ])('put a wait of %i ms into its bucket', async (wait, name) => {
    const { past, spaceId, place, asker, helper } = begin(wait);
    past.answer(helper, past.ask(asker, place));
    await side.record(past);
    expect((await read(spaceId)).clarity).toMatchObject([{ [name]: 1, unanswered: 0 }]);
  });

  it('exclude removed posts and their acceptance, even if removed repeatedly', async () => {
    const { past, spaceId, place, asker, helper } = begin(HOUR);
    const questionId = past.ask(asker, place);
    const answerId = past.answer(helper, questionId);
    past.accept(answerId);
    past.deleteAnswer(answerId);
    past.uphold(past.newModerator(), answerId);
    await side.record(past);
    expect(await read(spaceId)).toMatchObject({
      workload: [{ questions: 1, answers: 0 }],
      clarity: [{ solved: 0, unanswered: 1 }],
    });
    past.uphold(past.newModerator(), questionId);
    past.deleteQuestion(questionId);
    await side.record(past);
    expect(await read(spaceId)).toMatchObject({ workload: [], clarity: [] });
    await expectCountersToMatch();
  });

  it('count posts again after a reversal', async () => {
    const { past, spaceId, place, asker, helper } = begin(HOUR);
    const questionId = past.ask(asker, place);
    const answerId = past.answer(helper, questionId);
    past.accept(answerId);
    await side.record(past);
    const before = await read(spaceId);
    const moderator = past.newModerator();
    for (const post of [answerId, questionId]) past.uphold(moderator, post);
    await side.record(past);
    expect(await read(spaceId)).toMatchObject({ workload: [], clarity: [] });
    for (const post of [answerId, questionId]) past.reverseUpholding(moderator, post);
    await side.record(past);
    expect(await read(spaceId)).toEqual(before);
    await expectCountersToMatch();
  });

  it('ignore events of unknown posts and the acceptance of a removed answer', async () => {
    const { past, spaceId, place, asker, helper } = begin(HOUR);
    const questionId = past.ask(asker, place);
    const answerId = past.answer(helper, questionId);
    past.deleteAnswer(answerId);
    past.accept(answerId);
    const missing = { questionId: past.newStudent(), answerId: past.newStudent(), spaceId };
    const deleted = { ...missing, authorId: helper, reason: null };
    past.append(answerStream(missing.answerId), { type: 'AnswerDeleted', data: deleted });
    past.append(questionStream(missing.questionId), { type: 'QuestionDeleted', data: deleted });
    past.append(moderationStream(questionId), {
      type: 'ReportsUpheld',
      data: {
        ...{ postType: 'COMMENT', postId: missing.answerId, questionId, spaceId, postAuthorId: helper },
        ...{ moderatorId: asker, reason: 'Right', round: 0 },
      },
    });
    await side.record(past);
    expect(await read(spaceId)).toMatchObject({ clarity: [{ questions: 1, solved: 0 }] });
  });
});

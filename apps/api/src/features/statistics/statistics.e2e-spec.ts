import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant, refusalOf } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

interface Statistics {
  readonly from: string;
  readonly to: string;
  readonly workload: readonly {
    readonly day: string;
    readonly questions: number;
    readonly answers: number;
  }[];
  readonly subjects: readonly object[];
}
const FIELDS = `from to workload { day questions answers }
  subjects { subject { _id subjectName color } questions solved unsolved withinHour withinDay withinWeek later unanswered }`;

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 2);
  const [first, second] = community.members.map((student) => new Participant(app, student, community));
  if (!first || !second) throw new Error('the community has no members');
  [ada, bob] = [first, second];
});

const statistics = (args = '', fields = FIELDS) =>
  `getSpaceStatistics(space: "${community.spaceId}"${args}) { ${fields} }`;
const share = (args = '') => `getSolvedShare(space: "${community.spaceId}"${args}) { questions solved }`;

describe('Nimo Sense', () => {
  it('is empty without questions', async () => {
    expect(await ada.query(statistics())).toMatchObject({ workload: [], subjects: [] });
    expect(await ada.query(share())).toEqual({ questions: 0, solved: 0 });
  });

  it('counts questions, answers and solutions', async () => {
    const questionId = await ada.ask();
    const answerId = await bob.answer(questionId);
    await ada.perform(`acceptAnswer(questionId: "${questionId}", answerId: "${answerId}") { _id }`);
    await ada.ask();
    const seen = await eventually(
      () => ada.query<Statistics>(statistics()),
      ({ workload }) => workload.reduce((sum, day) => sum + day.questions + day.answers, 0) === 3,
    );
    expect(seen.subjects).toEqual([
      {
        subject: { _id: community.subjectId, subjectName: 'Algebra', color: '2563eb' },
        ...{ questions: 2, solved: 1, unsolved: 1, unanswered: 1 },
        ...{ withinHour: 1, withinDay: 0, withinWeek: 0, later: 0 },
      },
    ]);
    expect(await ada.query(share())).toEqual({ questions: 2, solved: 1 });
  });

  it('filters by subjects and days', async () => {
    const other = `, subjectIds: ["${community.topicId}"]`;
    expect(await ada.query(statistics(other))).toMatchObject({ workload: [], subjects: [] });
    expect(await ada.query(share(other))).toEqual({ questions: 0, solved: 0 });
    const own = `, subjectIds: ["${community.subjectId}"]`;
    expect(await ada.query(share(own))).toEqual({ questions: 2, solved: 1 });
    expect(await ada.query(statistics(', from: "2020-01-01", to: "2020-12-31"'))).toEqual({
      from: '2020-01-01',
      to: '2020-12-31',
      workload: [],
      subjects: [],
    });
  });

  it('rejects an invalid period', async () => {
    for (const [args, field] of [
      [', from: "yesterday"', 'from'],
      [', to: "2026-02-30"', 'to'],
      [', from: "2020-01-01", to: "2026-01-01"', 'from'],
    ] as const) {
      expect(await ada.refusal(`{ ${statistics(args)} }`)).toMatchObject({
        code: 'VALIDATION_FAILED',
        field,
      });
    }
  });

  it('is restricted to members', async () => {
    const eve = new Participant(app, await app.signUp(), community);
    for (const query of [statistics('', 'from'), share()]) {
      expect(await eve.refusal(`{ ${query} }`)).toEqual({
        message: 'Join the space to take part.',
        code: 'FORBIDDEN',
      });
      expect(refusalOf(await app.graphql(`{ ${query} }`))).toMatchObject({ code: 'UNAUTHENTICATED' });
    }
  });
});

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant, refusalOf } from '../../../../../test/participant.js';

interface ShownSpace {
  readonly _id: string;
  readonly joined: boolean;
  readonly memberCount: number;
  readonly scope: string;
}

let app: TestApp;
let community: Community;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 1);
});

const stranger = async (): Promise<Participant> => new Participant(app, await app.signUp(), community);
const shown = '{ _id joined memberCount scope }';

describe('spaces', () => {
  it('are all listed, joined or not, with their scope', async () => {
    const eve = await stranger();
    const spaces = await eve.query<ShownSpace[]>(`getSpaces(scope: "world") ${shown}`);
    expect(spaces).toContainEqual({ _id: community.spaceId, joined: false, memberCount: 1, scope: 'world' });
    expect(await eve.query(`getStudentSpaces ${shown}`)).toEqual([]);
  });

  it('can be joined repeatedly without effect, and left', async () => {
    const eve = await stranger();
    const { spaceId } = community;
    for (let time = 0; time < 3; time++) {
      const { data } = await eve.mutate<ShownSpace>(`joinSpace(spaceId: "${spaceId}") ${shown}`);
      expect(data.done).toEqual({ _id: spaceId, joined: true, memberCount: 2, scope: 'world' });
    }
    expect(await eve.query<ShownSpace[]>(`getStudentSpaces ${shown}`)).toHaveLength(1);
    const { data } = await eve.mutate<ShownSpace>(`leaveSpace(spaceId: "${spaceId}") ${shown}`);
    expect(data.done).toMatchObject({ joined: false, memberCount: 1 });
    expect(await eve.query(`getStudentSpaces ${shown}`)).toEqual([]);
  });

  it('count a student who joins concurrently once', async () => {
    const eve = await stranger();
    const { spaceId } = community;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => eve.mutate(`joinSpace(spaceId: "${spaceId}") { _id }`)),
    );
    expect(answers.map(({ errors }) => errors)).toEqual(answers.map(() => undefined));
    const { rows } = await app.pool.query(`select type from log.events where stream_id = $1`, [
      `membership-${spaceId}-${eve.student.studentId}`,
    ]);
    expect(rows).toEqual([{ type: 'SpaceJoined' }]);
    await eve.perform(`leaveSpace(spaceId: "${spaceId}") { _id }`);
  });

  it('keep posts and score of a student who leaves and cannot take part until rejoining', async () => {
    const eve = await stranger();
    const { spaceId } = community;
    await eve.perform(`joinSpace(spaceId: "${spaceId}") { _id }`);
    const questionId = await eve.ask({ title: 'Does it stay?' });
    await eve.perform(`leaveSpace(spaceId: "${spaceId}") { _id }`);
    expect(
      await eve.query(`getQuestionById(questionId: "${questionId}") { title isAuthorizedToInteract }`),
    ).toEqual({ title: 'Does it stay?', isAuthorizedToInteract: false });
    expect(refusalOf(await eve.tryToAsk())).toEqual({
      message: 'Join the space to take part.',
      code: 'FORBIDDEN',
    });
    await eve.perform(`joinSpace(spaceId: "${spaceId}") { _id }`);
    await app.caughtUp();
    expect(
      await eve.query(`getLeaderboardScores(space: "${spaceId}") { scores { commitments questionsAsked } }`),
    ).toEqual({ scores: { commitments: 10, questionsAsked: 1 } });
    await eve.perform(`leaveSpace(spaceId: "${spaceId}") { _id }`);
  });

  it('reject unknown and malformed ids and acting for someone else', async () => {
    const eve = await stranger();
    const { spaceId, members } = community;
    expect(await eve.refusal(`mutation { joinSpace(spaceId: "${randomUUID()}") { _id } }`)).toEqual({
      message: 'Space not found.',
      code: 'NOT_FOUND',
    });
    expect(await eve.refusal('mutation { joinSpace(spaceId: "1; drop") { _id } }')).toMatchObject({
      code: 'VALIDATION_FAILED',
      field: 'spaceId',
    });
    const other = members[0]?.studentId ?? '';
    for (const operation of [
      `mutation { joinSpace(spaceId: "${spaceId}", studentId: "${other}") { _id } }`,
      `mutation { leaveSpace(spaceId: "${spaceId}", studentId: "${other}") { _id } }`,
      `{ getSpaces(studentId: "${other}") { _id } }`,
      `{ getStudentSpaces(studentId: "${other}") { _id } }`,
    ])
      expect(await eve.refusal(operation)).toEqual({
        message: 'You don’t have permission to do this.',
        code: 'FORBIDDEN',
      });
  });
});

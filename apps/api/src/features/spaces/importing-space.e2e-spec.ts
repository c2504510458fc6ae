import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { ChangeSpace } from './commands/manage-space.js';

let app: TestApp;
let community: Community;
let outsider: Participant;
let maintainer: Participant;
let questionId: string;

beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 1, { entry: 'IMPORTING' });
  const [author] = community.members;
  if (!author) throw new Error('the community has no members');
  questionId = await new Participant(app, author, community).ask();
  outsider = new Participant(app, await app.signUp(), community);
  maintainer = new Participant(app, await app.signUp(), community);
  await app.grantRole(maintainer.student.studentId, 'MAINTAINER');
  await app.caughtUp();
});

const listed = async (): Promise<boolean> => {
  const spaces = await outsider.query<{ _id: string }[]>('getSpaces { _id }');
  return spaces.some(({ _id }) => _id === community.spaceId);
};
const managed = async (): Promise<{ entry: string } | undefined> =>
  (await maintainer.query<{ _id: string; entry: string }[]>('getManagedSpaces { _id entry }')).find(
    ({ _id }) => _id === community.spaceId,
  );

describe('a space under import', () => {
  it('is listed for maintainers but not for students', async () => {
    expect(await listed()).toBe(false);
    expect(await managed()).toMatchObject({ entry: 'IMPORTING' });
  });

  it('rejects joins, entry requests and invitations', async () => {
    const space = community.spaceId;
    const { userName } = outsider.student;
    const link = `{ kind: LINK, uses: 1, days: 1 }`;
    const refusals = [
      await outsider.refusal(`mutation { joinSpace(spaceId: "${space}") { _id } }`),
      await outsider.refusal(`mutation { requestEntry(spaceId: "${space}") { _id } }`),
      await maintainer.refusal(
        `mutation { inviteStudent(space: "${space}", userName: "${userName}") { flag } }`,
      ),
      await maintainer.refusal(`mutation { createInvitation(space: "${space}", details: ${link}) }`),
    ];
    expect(refusals.map(({ code }) => code)).toEqual(Array.from(refusals, () => 'NOT_FOUND'));
  });

  it('hides questions, leaderboard and search', async () => {
    const { spaceId } = community;
    for (const token of [undefined, outsider.student.token]) {
      const { data } = await app.graphql<{ getQuestionById: unknown }>(
        `{ getQuestionById(questionId: "${questionId}") { _id title } }`,
        {},
        token,
      );
      expect(data.getQuestionById).toBeNull();
    }
    const vals = `queryVals: { space: "${spaceId}" }`;
    for (const read of [
      `getPaginatedQuestions(${vals}) { docs { _id } }`,
      `getLeaderboardScores(space: "${spaceId}") { rank }`,
      `searchQuestions(search: "group", ${vals}) { degraded }`,
    ])
      expect(await outsider.refusal(`{ ${read} }`)).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is opened only by the import, never by a maintainer', async () => {
    const open = `mutation { changeSpace(id: "${community.spaceId}", change: { entry: OPEN }) { act } }`;
    expect(await maintainer.refusal(open)).toMatchObject({ code: 'FORBIDDEN' });
    const change = { entry: 'OPEN' } as const;
    await app.execute(new ChangeSpace(app.operator(), community.spaceId, { change }));
    await app.caughtUp();
    expect(await listed()).toBe(true);
    await outsider.perform(`joinSpace(spaceId: "${community.spaceId}") { _id }`);
  });
});

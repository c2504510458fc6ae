import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('no members');
  ada = new Participant(app, first, community);
  bob = new Participant(app, second, community);
});

const save = (id: string, more = ''): string => `saveQuestion(questionId: "${id}"${more}) { _id }`;
const unsave = (id: string, more = ''): string => `unsaveQuestion(questionId: "${id}"${more}) { _id }`;
const savedBy = async (who: Participant): Promise<string[]> => {
  const saved = await who.query<{ _id: string }[]>(
    `getAllSavedQuestions(spaceId: "${community.spaceId}") { _id }`,
  );
  return saved.map(({ _id }) => _id);
};

describe('bookmarks', () => {
  it('are listed once, newest first, per student, and can be removed', async () => {
    const [first, second] = [await bob.ask(), await bob.ask()];
    for (const id of [first, second, second]) await ada.perform(save(id));
    expect(await savedBy(ada)).toEqual([second, first]);
    expect(await savedBy(bob)).toEqual([]);
    expect(await ada.query(`getQuestionById(questionId: "${first}") { isSaved }`)).toEqual({ isSaved: true });
    expect(
      await ada.query(
        `getPaginatedSavedQuestions(space: "${community.spaceId}", limit: 1) { docs { _id } totalPages }`,
      ),
    ).toMatchObject({ totalPages: 2 });
    for (const id of [first, first, second]) await ada.perform(unsave(id));
    expect(await savedBy(ada)).toEqual([]);
  });

  it('of a deleted question are hidden and can be removed', async () => {
    const id = await bob.ask();
    await ada.perform(save(id));
    await bob.perform(`deleteQuestionById(id: "${id}") { _id }`);
    expect(await savedBy(ada)).toEqual([]);
    await ada.perform(unsave(id));
    expect(await ada.refusal(`mutation { ${save(id)} }`)).toEqual({
      message: 'No Question found with this id!',
      code: 'NOT_FOUND',
    });
  });

  it('reject other users, non-members and unknown questions', async () => {
    const id = await bob.ask();
    const asBob = `, userId: "${bob.student.studentId}"`;
    const forbidden = { message: 'You don’t have permission to do this.', code: 'FORBIDDEN' };
    for (const operation of [
      `mutation { ${save(id, asBob)} }`,
      `mutation { ${unsave(id, asBob)} }`,
      `{ getAllSavedQuestions(spaceId: "${community.spaceId}"${asBob}) { _id } }`,
      `{ getPaginatedSavedQuestions(space: "${community.spaceId}"${asBob}) { page } }`,
    ])
      expect(await ada.refusal(operation)).toEqual(forbidden);
    const eve = new Participant(app, await app.signUp(), community);
    expect(await eve.refusal(`mutation { ${save(id)} }`)).toMatchObject({
      message: 'Join the space to take part.',
    });
    expect(await ada.refusal(`mutation { ${save(randomUUID())} }`)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await ada.refusal(`mutation { ${unsave(randomUUID())} }`)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are saved once despite concurrent clicks', async () => {
    const id = await bob.ask();
    await Promise.all(Array.from({ length: 6 }, () => ada.perform(save(id))));
    const { rows } = await app.pool.query('select type from log.events where stream_id = $1', [
      `bookmark-${id}-${ada.student.studentId}`,
    ]);
    expect(rows).toEqual([{ type: 'QuestionSaved' }]);
  });
});

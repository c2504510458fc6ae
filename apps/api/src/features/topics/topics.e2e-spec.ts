import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newSpace, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

interface ShownTopic {
  readonly _id: string;
  readonly topicName: string;
  readonly topicType: string;
}

let app: TestApp;
let community: Community;
let ada: Participant;
let eve: Participant;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 1);
  const [member] = community.members;
  if (!member) throw new Error('the community has no members');
  ada = new Participant(app, member, community);
  eve = new Participant(app, await app.signUp(), community);
});

const create = (topicName: string, more = ''): string =>
  `createTopic(topicName: ${JSON.stringify(topicName)}, subject: "${community.subjectId}"${more}) { _id topicName topicType }`;

describe('topics', () => {
  it('created by students are SECONDARY and unique by normalised name', async () => {
    const { data } = await ada.mutate<ShownTopic>(create('Finite Fields', ', topicType: SECONDARY'));
    expect(data.done).toMatchObject({ topicName: 'Finite Fields', topicType: 'SECONDARY' });
    for (const name of ['finite fields', '  FINITE   fields ', 'Finite-Fields!']) {
      const again = await ada.mutate<ShownTopic>(create(name));
      expect(again.data.done._id).toBe(data.done._id);
    }
  });

  it('are created once under concurrency', async () => {
    const name = `Rings ${randomUUID()}`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => ada.mutate<ShownTopic>(create(name))));
    expect(new Set(answers.map(({ data }) => data.done._id)).size).toBe(1);
  });

  it('are listed PRIMARY first, found by part of the name and ranked by popularity', async () => {
    const { subjectId, spaceId, topicId } = community;
    const listed = await ada.query<ShownTopic[]>(
      `getSubjectTopics(subjects: ["${subjectId}"]) { _id topicName topicType }`,
    );
    expect(listed[0]).toEqual({ _id: topicId, topicName: 'Groups', topicType: 'PRIMARY' });
    expect(
      await ada.query(`getSubjectTopics(subjects: ["${subjectId}"], search: "ROUP") { topicName }`),
    ).toEqual([{ topicName: 'Groups' }]);
    await app.caughtUp();
    expect(
      await ada.query(`searchTopics(space: "${spaceId}", search: "grou") { hits { topicName } }`),
    ).toEqual({
      hits: [{ topicName: 'Groups' }],
    });
    expect(await ada.query(`searchTopics(space: "${spaceId}", search: "%") { hits { topicName } }`)).toEqual({
      hits: [],
    });
    await ada.ask();
    const popular = await ada.query<ShownTopic[]>(
      `getPopularTopics(spaceId: "${spaceId}", topicType: PRIMARY) { _id }`,
    );
    expect(popular).toEqual([{ _id: topicId }]);
    expect(await ada.query(`getSubjectsForSpace(id: "${spaceId}") { subjectName color }`)).toEqual([
      { subjectName: 'Algebra', color: '2563eb' },
    ]);
  });

  it('require a visible name and a subject', async () => {
    const refused = (name: string): Promise<unknown> => ada.refusal(`mutation { ${create(name)} }`);
    const nameless = {
      message: 'Please select or create a topic',
      code: 'VALIDATION_FAILED',
      field: 'topic',
    };
    for (const name of ['', '   ', '\u200b', '...']) expect(await refused(name)).toEqual(nameless);
    expect(await refused('x'.repeat(101))).toEqual({
      message: 'Topics can’t be longer than 100 characters.',
      code: 'VALIDATION_FAILED',
      field: 'topicName',
    });
    expect(await ada.refusal('mutation { createTopic(topicName: "Sets", subject: "") { _id } }')).toEqual({
      message: 'Please select a subject',
      code: 'VALIDATION_FAILED',
      field: 'subject',
    });
    expect(
      await ada.refusal(`mutation { createTopic(topicName: "Sets", subject: "${randomUUID()}") { _id } }`),
    ).toEqual({ message: 'Subject not found.', code: 'NOT_FOUND' });
  });

  it('and members can be sorted in a search by known orders only', async () => {
    const space = await newCommunity(app, 2);
    const [busy, quiet] = space.members.map((member) => new Participant(app, member, space));
    if (!busy || !quiet) throw new Error('the community has no members');
    const optics = async (name: string): Promise<string> =>
      (
        await busy.mutate<ShownTopic>(
          `createTopic(topicName: "${name}", subject: "${space.subjectId}") { _id topicName topicType }`,
        )
      ).data.done._id;
    const [waves, lenses] = [await optics('Optics of waves'), await optics('Optics of lenses')];
    const ask = (topicId: string) => new Participant(app, busy.student, { ...space, topicId }).ask();
    const answered = await ask(waves);
    await ask(waves);
    await ask(lenses);
    await quiet.answer(answered);

    const idsOf = async (search: string, sort: string): Promise<string[]> => {
      const found = await busy.query<{ hits: { _id: string }[] }>(
        `${search.replace('S', `space: "${space.spaceId}", sort: ${sort}`)} { hits { _id } }`,
      );
      return found.hits.map(({ _id }) => _id);
    };
    const first = (search: string, sort: string, id: string) =>
      eventually(
        () => idsOf(search, sort),
        ([best]) => best === id,
      );
    const topics = 'searchTopics(S, search: "optics")';
    const members = 'searchUsers(S, search: "")';
    expect(await first(topics, '1', lenses)).toEqual([lenses, waves]);
    expect(await first(topics, '2', waves)).toEqual([waves, lenses]);
    // The request does not wait for the leaderboard.
    expect(await first(members, '2', quiet.student.studentId)).toHaveLength(2);
    expect(new Set(await idsOf(members, '1'))).toEqual(
      new Set(space.members.map(({ studentId }) => studentId)),
    );
    for (const search of [topics, members])
      expect(
        await busy.refusal(
          `{ ${search.replace('S', `space: "${space.spaceId}", sort: 3`)} { hits { _id } } }`,
        ),
      ).toMatchObject({ code: 'VALIDATION_FAILED', field: 'sort' });
  });

  it('cannot be created as PRIMARY by students', async () => {
    expect(await ada.refusal(`mutation { ${create('Lattices', ', topicType: PRIMARY')} }`)).toEqual({
      message: 'You don’t have permission to do this.',
      code: 'FORBIDDEN',
    });
  });

  it('are restricted to members of the space', async () => {
    const { spaceId, subjectId } = community;
    const closed = { message: 'Join the space to take part.', code: 'FORBIDDEN' };
    for (const operation of [
      `mutation { ${create('Monoids')} }`,
      `{ getSubjectsForSpace(id: "${spaceId}") { _id } }`,
      `{ getSubjectTopics(subjects: ["${subjectId}"]) { _id } }`,
      `{ getPopularTopics(spaceId: "${spaceId}") { _id } }`,
      `{ searchTopics(space: "${spaceId}", search: "g") { hits { _id } } }`,
    ])
      expect(await eve.refusal(operation)).toEqual(closed);
  });

  it('of another space cannot be used for a question', async () => {
    const other = await newSpace(app);
    await ada.perform(`joinSpace(spaceId: "${other}") { _id }`);
    const answer = await ada.tryToAsk({ space: other });
    expect(answer.errors?.[0]).toMatchObject({
      message: 'Please select a subject',
      extensions: { field: 'subject' },
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { LimitsCheck } from './limits.check.js';
import { LIMITS } from './limits.js';

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
beforeAll(async () => {
  app = await bootApp({ RATE_LIMIT_FACTOR: '1' });
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('there are no members');
  ada = new Participant(app, first, community);
  bob = new Participant(app, second, community);
}, 60_000);
afterAll(() => app.close());

const REFUSED = { message: 'Too many requests. Please try again later.', code: 'TOO_MANY_REQUESTS' };

async function useUp(times: number, operation: (time: number) => string): Promise<void> {
  for (let time = 0; time < times; time += 1) await ada.does(operation(time));
}

describe('limits', () => {
  it('are declared by every mutation of the schema', () => {
    const { schema } = app.api.get(GraphQLSchemaHost, { strict: false });
    const mutations = [...app.api.get(LimitsCheck, { strict: false }).mutations()];
    expect(mutations.filter(({ rule }) => rule === undefined)).toEqual([]);
    expect(mutations).toHaveLength(Object.keys(schema.getMutationType()?.getFields() ?? {}).length);
  });

  it('end the toggling of one vote, and leave other posts and other students alone', async () => {
    const [post, other] = [await bob.ask(), await bob.ask()];
    const vote = (id: string) => `upvoteQuestion(questionId: "${id}") { _id }`;
    await useUp(LIMITS.togglesOfOne.most, () => vote(post));
    expect(await ada.refusal(`mutation { ${vote(post)} }`)).toEqual(REFUSED);
    // An id is the same in capitals.
    expect(await ada.refusal(`mutation { ${vote(post.toUpperCase())} }`)).toEqual(REFUSED);
    await ada.does(vote(other));
  });

  it('end saving and unsaving, joining and leaving, over and over', async () => {
    const id = await bob.ask();
    const most = LIMITS.togglesOfOne.most;
    await useUp(most, (time) => `${time % 2 === 0 ? 'save' : 'unsave'}Question(questionId: "${id}") { _id }`);
    expect(await ada.refusal(`mutation { saveQuestion(questionId: "${id}") { _id } }`)).toEqual(REFUSED);
    const space = (verb: string) => `${verb}Space(spaceId: "${community.spaceId}") { _id }`;
    await useUp(most, (time) => space(time % 2 === 0 ? 'leave' : 'join'));
    expect(await ada.refusal(`mutation { ${space('leave')} }`)).toEqual(REFUSED);
  });

  it('end the edits of one post', async () => {
    const id = await ada.ask();
    const edit = (time: number) =>
      `updateQuestion(id: "${id}", title: "Is every ring a group? ${time}") { _id }`;
    await useUp(LIMITS.editsOfOne.most, edit);
    expect(await ada.refusal(`mutation { ${edit(-1)} }`)).toEqual(REFUSED);
    await ada.does(`deleteQuestionById(id: "${id}") { _id }`);
  });
});

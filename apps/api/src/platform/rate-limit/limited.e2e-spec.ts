import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { LimitsCheck } from './limited.js';
import { LIMITS } from './limits.js';

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
beforeAll(async () => {
  app = await bootApp({ RATE_LIMIT_FACTOR: '1' });
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('the community has no members');
  ada = new Participant(app, first, community);
  bob = new Participant(app, second, community);
});
afterAll(() => app.close());

const REFUSED = { message: 'Too many requests. Please try again later.', code: 'TOO_MANY_REQUESTS' };

async function useUp(times: number, operation: (time: number) => string): Promise<void> {
  for (let time = 0; time < times; time += 1) await ada.perform(operation(time));
}

describe('rate limits', () => {
  it('are declared by every mutation of the schema', () => {
    const { schema } = app.api.get(GraphQLSchemaHost, { strict: false });
    const mutations = [...app.api.get(LimitsCheck, { strict: false }).mutations()];
    expect(mutations.filter(({ rule }) => rule === undefined)).toEqual([]);
    expect(mutations).toHaveLength(Object.keys(schema.getMutationType()?.getFields() ?? {}).length);
  });

  it('stop the toggling of one vote without affecting other posts', async () => {
    const [post, other] = [await bob.ask(), await bob.ask()];
    const vote = (id: string) => `upvoteQuestion(questionId: "${id}") { _id }`;
    await useUp(LIMITS.togglesOfOne.max, () => vote(post));
    expect(await ada.refusal(`mutation { ${vote(post)} }`)).toEqual(REFUSED);
    // Ids are case-insensitive.
    expect(await ada.refusal(`mutation { ${vote(post.toUpperCase())} }`)).toEqual(REFUSED);
    await ada.perform(vote(other));
  });

  it('report the seconds to wait in the error and in Retry-After', async () => {
    const post = await bob.ask();
    const vote = `upvoteQuestion(questionId: "${post}") { _id }`;
    await useUp(LIMITS.togglesOfOne.max, () => vote);
    const { headers, body } = await app
      .http()
      .post('/graphql')
      .set('authorization', `Bearer ${ada.student.token}`)
      .send({ query: `mutation { ${vote} }` });
    const [error] = (body as { errors: { extensions: { params: { seconds: number } } }[] }).errors;
    const seconds = error?.extensions.params.seconds;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(LIMITS.togglesOfOne.seconds);
    expect(headers['retry-after']).toBe(String(seconds));
  });

  it('report the remaining budget to signed-in callers', async () => {
    const post = await bob.ask();
    const send = async (query: string, token?: string) => {
      const asked = app.http().post('/graphql').send({ query });
      const { headers } = await (token === undefined ? asked : asked.set('authorization', `Bearer ${token}`));
      return { policy: headers['ratelimit-policy'], left: headers['ratelimit'] };
    };
    const { name, max, seconds } = LIMITS.togglesOfOne;
    const rest = async () => {
      const { policy, left = '' } = await send(
        `mutation { upvoteQuestion(questionId: "${post}") { _id } }`,
        bob.student.token,
      );
      expect(policy).toContain(`"${name}";q=${max};w=${seconds}`);
      expect(policy).toContain(`"${LIMITS.votes.name}";q=${LIMITS.votes.max};w=${LIMITS.votes.seconds}`);
      const [, count, wait] = new RegExp(`"${name}";r=(\\d+);t=(\\d+)`).exec(left) ?? [];
      expect(Number(wait)).toBeGreaterThan(0);
      expect(Number(wait)).toBeLessThanOrEqual(seconds);
      return Number(count);
    };
    const counts: number[] = [];
    for (let time = 0; time <= max; time += 1) counts.push(await rest());
    const expected = Array.from({ length: max }, (_, time) => max - 1 - time);
    expect(counts).toEqual([...expected, 0]);

    const query = '{ getAvatars { category } }';
    expect((await send(query, bob.student.token)).left).toMatch(/^"cost";r=[12]\d{6};t=[1-6]?\d$/);
    expect(await send(query)).toEqual({ policy: undefined, left: undefined });
  });

  it('stop repeated saving and unsaving, joining and leaving', async () => {
    const id = await bob.ask();
    const max = LIMITS.togglesOfOne.max;
    await useUp(max, (time) => `${time % 2 === 0 ? 'save' : 'unsave'}Question(questionId: "${id}") { _id }`);
    expect(await ada.refusal(`mutation { saveQuestion(questionId: "${id}") { _id } }`)).toEqual(REFUSED);
    const space = (verb: string) => `${verb}Space(spaceId: "${community.spaceId}") { _id }`;
    await useUp(max, (time) => space(time % 2 === 0 ? 'leave' : 'join'));
    expect(await ada.refusal(`mutation { ${space('leave')} }`)).toEqual(REFUSED);
  });

  it('stop repeated edits of one post', async () => {
    const id = await ada.ask();
    const edit = (time: number) =>
      `updateQuestion(id: "${id}", title: "Is every ring a group? ${time}") { _id }`;
    await useUp(LIMITS.editsOfOne.max, edit);
    expect(await ada.refusal(`mutation { ${edit(-1)} }`)).toEqual(REFUSED);
    await ada.perform(`deleteQuestionById(id: "${id}") { _id }`);
  });
});

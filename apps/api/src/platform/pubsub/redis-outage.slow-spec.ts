import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { bootApp, newPhone, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { TestRedis } from '../../../../../test/servers/redis.js';
import { eventually } from '@nimo/testing';

let redis: TestRedis;
let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
const clients: Client[] = [];
beforeAll(async () => {
  redis = await TestRedis.start();
  app = await bootApp({ REDIS_URL: redis.url });
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('the community has no members');
  ada = new Participant(app, first, community);
  bob = new Participant(app, second, community);
});
afterAll(async () => {
  for (const client of clients) await client.dispose();
  await app.close();
  await redis.stop();
});

interface Ear {
  heard: number;
  closedWith: number | undefined;
}

function listen(subscription: string, token?: string): Ear {
  const ear: Ear = { heard: 0, closedWith: undefined };
  const client = createClient({
    url: `${app.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: token === undefined ? {} : { authorization: `Bearer ${token}` },
    on: { closed: (event) => (ear.closedWith = (event as { code: number }).code) },
  });
  clients.push(client);
  client.subscribe(
    { query: `subscription { ${subscription} }` },
    { next: () => (ear.heard += 1), error: () => undefined, complete: () => undefined },
  );
  return ear;
}

/** Readiness of the components that need Redis. */
async function readiness(): Promise<readonly unknown[]> {
  const { body, status } = await app.http().get('/health/ready');
  return [status, body.components?.liveUpdates.status, body.components?.jobs.status];
}
/** Uses a new phone each time, since codes per phone are limited. @returns the phone and the error code, if any */
async function sendCode(): Promise<{ readonly phone: string; readonly refusal: string | undefined }> {
  const phone = newPhone();
  await app.graphql('mutation($phone: Phone!) { createStudent(phone: $phone) { _id } }', { phone });
  const { errors } = await app.graphql('mutation($phone: Phone!) { sendOTP(phone: $phone) { flag } }', {
    phone,
  });
  return { phone, refusal: errors?.[0]?.extensions.code };
}

describe('while the configured Redis is down', () => {
  it('commands, queries and open pages keep working, and the rest recovers automatically', async () => {
    const questionId = await ada.ask();
    const page = listen(`questionUpdated(questionId: "${questionId}") { ordinal }`);
    const bell = listen(`notificationArrived(space: "${community.spaceId}") { space }`, ada.student.token);
    await eventually(() => Promise.resolve(bell.heard > 0));

    await redis.kill();
    await eventually(readiness, (found) => found.join() === '200,down,down');
    await eventually(async () => {
      await bob.mutate(`upvoteQuestion(questionId: "${questionId}") { _id }`);
      return page.heard > 0;
    });
    const answerId = await bob.answer(questionId);
    expect(answerId).toMatch(/^[0-9a-f-]{36}$/);
    // Codes cannot be sent: the request fails fast.
    expect((await sendCode()).refusal).toBe('UNAVAILABLE');

    await redis.restart();
    await eventually(readiness, (found) => found.join() === '200,up,up');
    const { phone } = await eventually(sendCode, ({ refusal }) => refusal === undefined);
    expect(await app.latestCode(phone)).toMatch(/^\d{4}$/);
    await ada.perform('logout { flag }');
    await eventually(() => Promise.resolve(bell.closedWith === 4401));
  });
});

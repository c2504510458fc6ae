import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { bootApp, eventually, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
const clients: Client[] = [];
beforeAll(async () => {
  app = await bootApp();
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('there are no members');
  ada = new Participant(app, first, community);
  bob = new Participant(app, second, community);
}, 60_000);
afterAll(async () => {
  for (const client of clients) await client.dispose();
  await app.close();
});

interface Listener {
  readonly heard: unknown[];
  readonly errors: unknown[];
}

/** Somebody without a session who has the question open. */
function listen(questionId: string): Listener {
  const client = createClient({ url: `${app.url.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket });
  clients.push(client);
  const listener: Listener = { heard: [], errors: [] };
  client.subscribe(
    { query: `subscription { questionUpdated(questionId: "${questionId}") { questionId ordinal } }` },
    {
      next: ({ data, errors }) => (errors ? listener.errors.push(...errors) : listener.heard.push(data)),
      error: (error) => listener.errors.push(error),
      complete: () => undefined,
    },
  );
  return listener;
}

/** Toggles a bookmark-free thing until the listener, whose subscription takes a moment, has heard of the question. */
async function untilHeard({ heard }: Listener, act: () => Promise<unknown>): Promise<void> {
  await eventually(async () => {
    await act();
    return heard.length > 0;
  });
}

describe('an open question', () => {
  it('is told of answers, comments and votes, but of no other question', async () => {
    const [id, other] = [await ada.ask(), await ada.ask()];
    const [listener, elsewhere] = [listen(id), listen(other)];
    await untilHeard(listener, () => bob.does(`upvoteQuestion(questionId: "${id}") { _id }`));
    expect(listener.heard[0]).toEqual({ questionUpdated: { questionId: id, ordinal: expect.any(Number) } });
    const answerId = await bob.answer(id);
    for (const act of [() => ada.commentOnAnswer(answerId), () => ada.commentOnQuestion(id)]) {
      const before = listener.heard.length;
      await act();
      await eventually(async () => listener.heard.length > before);
    }
    expect(elsewhere.heard).toEqual([]);
  });

  it('tells nothing of reports and bookmarks', async () => {
    const id = await ada.ask();
    const listener = listen(id);
    await untilHeard(listener, () => bob.does(`upvoteQuestion(questionId: "${id}") { _id }`));
    await bob.does(`reportPost(postId: "${id}", postType: QUESTION, reason: "Its spam") { _id }`);
    await bob.does(`saveQuestion(questionId: "${id}") { _id }`);
    const before = listener.heard.length;
    await bob.answer(id);
    await eventually(async () => listener.heard.length > before);
    expect(listener.heard.length - before).toBe(1);
  });

  it('is told again after the connections to the database were lost', async () => {
    const id = await ada.ask();
    const listener = listen(id);
    await untilHeard(listener, () => bob.does(`upvoteQuestion(questionId: "${id}") { _id }`));
    await app.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'nimo%'`,
    );
    const before = listener.heard.length;
    await eventually(async () => {
      await bob.mutate(`upvoteQuestion(questionId: "${id}") { _id }`);
      return listener.heard.length > before;
    });
    expect(listener.errors).toEqual([]);
  });

  it('refuses an id that is none', async () => {
    const listener = listen('x');
    await eventually(async () => listener.errors.length > 0);
    expect(JSON.stringify(listener.errors)).toContain('questionId is not a valid id.');
  });
});

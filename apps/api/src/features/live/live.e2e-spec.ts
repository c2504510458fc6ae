import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Pool } from 'pg';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { listenTo, type Listener, untilHeard, untilListening } from '../../../../../test/servers/listener.js';
import { VOTE_TICK_MS } from './question-updates.js';
import { Participant } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
const listeners: Listener[] = [];
beforeAll(async () => {
  app = await bootApp();
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('missing members');
  ada = new Participant(app, first, community);
  bob = new Participant(app, second, community);
});
afterAll(async () => {
  for (const listener of listeners) await listener.close();
  await app.close();
});

/** Follows the question, as a guest without a token. */
function listen(questionId: string, token?: string): Listener {
  const listener = listenTo(
    app,
    `questionUpdated(questionId: "${questionId}") { questionId sequence ordinal }`,
    token,
  );
  listeners.push(listener);
  return listener;
}

describe('question updates', () => {
  it('report answers and comments on this question only', async () => {
    const [id, other] = [await ada.ask(), await ada.ask()];
    const [listener, elsewhere] = [listen(id), listen(other)];
    await untilListening(listener, elsewhere);
    await ada.commentOnQuestion(id);
    await untilHeard(listener, 1);
    const [first] = listener.heard as { readonly questionUpdated: Readonly<Record<string, unknown>> }[];
    const { sequence, ...rest } = first?.questionUpdated ?? {};
    expect(sequence).toEqual(expect.any(Number));
    expect(rest).toEqual({ questionId: id, ordinal: sequence });
    const answerId = await bob.answer(id);
    await untilHeard(listener, 2);
    await ada.commentOnAnswer(answerId);
    await untilHeard(listener, 3);
    await ada.commentOnQuestion(id);
    await untilHeard(listener, 4);
    expect(elsewhere.heard).toEqual([]);
  });

  it('report votes in batches at clock ticks', async () => {
    const id = await ada.ask();
    const listener = listen(id);
    await untilListening(listener);
    // At most one signal per tick, however often the vote changes.
    const began = Math.floor(Date.now() / VOTE_TICK_MS);
    for (let vote = 0; vote < 6; vote += 1) await bob.perform(`upvoteQuestion(questionId: "${id}") { _id }`);
    await untilHeard(listener, 1);
    const ticks = Math.floor(Date.now() / VOTE_TICK_MS) - began;
    expect(ticks).toBeGreaterThan(0);
    expect(listener.heard.length).toBeLessThanOrEqual(ticks);
  });

  it('leave out reports and bookmarks', async () => {
    const id = await ada.ask();
    const listener = listen(id);
    await untilListening(listener);
    await bob.perform(`reportPost(postId: "${id}", postType: QUESTION, reason: "Its spam") { _id }`);
    await bob.perform(`saveQuestion(questionId: "${id}") { _id }`);
    await bob.answer(id);
    await untilHeard(listener, 1);
    expect(listener.heard).toHaveLength(1);
  });

  it('resume after lost database connections', async () => {
    const id = await ada.ask();
    const listener = listen(id);
    await untilListening(listener);
    await app.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'nimo%'`,
    );
    const before = listener.heard.length;
    await eventually(async () => {
      await ada.mutate(`createQuestionComment(questionId: "${id}", body: "Anybody?") { _id }`);
      return listener.heard.length > before;
    });
    expect(listener.errors).toEqual([]);
  });

  it('confirm the subscription and miss nothing from then on', async () => {
    const id = await ada.ask();
    const listener = listen(id);
    await untilListening(listener);
    await ada.commentOnQuestion(id);
    await untilHeard(listener, 1);
    expect(listener.confirmed).toHaveLength(1);
  });

  it('report the deletion to members and guests', async () => {
    const id = await ada.ask();
    const member = listen(id, bob.student.token);
    const guest = listen(id);
    await untilListening(member, guest);
    await ada.perform(`deleteQuestionById(id: "${id}") { _id }`);
    await untilHeard(member, 1);
    await untilHeard(guest, 1);
  });

  it('look up a private question once for all listeners', async () => {
    const closed = await newCommunity(app, 1, { publicPages: false });
    const [member] = closed.members;
    if (!member) throw new Error('missing member');
    const author = new Participant(app, member, closed);
    const id = await author.ask();
    const tokens = [member.token, member.token, bob.student.token];
    const [readers, guests] = [tokens.map((token) => listen(id, token)), [listen(id), listen(id)]];
    await untilListening(...readers, ...guests);
    const queries = jest.spyOn(app.api.get(Pool, { strict: false }), 'query');
    try {
      await author.commentOnQuestion(id);
      for (const reader of readers) await untilHeard(reader, 1);
      const names = queries.mock.calls.map(([statement]) => (statement as { name?: string }).name);
      expect(names.filter((name) => name === 'may-follow-question')).toHaveLength(1);
      expect(guests.flatMap(({ heard }) => heard)).toEqual([]);
    } finally {
      queries.mockRestore();
    }
  });

  it('reject an invalid ID', async () => {
    const listener = listen('x');
    await eventually(() => listener.errors.length > 0);
    expect(JSON.stringify(listener.errors)).toContain('questionId is not a valid id.');
  });
});

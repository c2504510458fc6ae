import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { BlockStudent } from '../students/commands/block-student.js';
import { eventually } from '@nimo/testing';

let app: TestApp;
const clients: Client[] = [];
beforeAll(async () => {
  app = await bootApp();
});
afterAll(async () => {
  for (const client of clients) await client.dispose();
  await app.close();
});

async function newSpaceOfThree() {
  const community = await newCommunity(app, 3);
  const [ada, bob, eva] = community.members.map((member) => new Participant(app, member, community));
  if (!ada || !bob || !eva) throw new Error('missing members');
  return { community, ada, bob, eva };
}

interface TestSubscription {
  signals: number;
  /** Resolves with the code when the server closes the socket. */
  readonly closed: Promise<number>;
  readonly errors: unknown[];
  isComplete: boolean;
}

/** Subscribes like a browser and resolves after the first signal or a refusal. */
async function subscribe({ spaceId }: Community, token?: string): Promise<TestSubscription> {
  let close = (_code: number): void => undefined;
  const subscription: TestSubscription = {
    signals: 0,
    errors: [],
    isComplete: false,
    closed: new Promise((resolve) => (close = resolve)),
  };
  const client = createClient({
    url: `${app.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: token === undefined ? {} : { authorization: `Bearer ${token}` },
    on: { closed: (event) => close((event as { code: number }).code) },
  });
  clients.push(client);
  client.subscribe(
    { query: `subscription { notificationArrived(space: "${spaceId}") { space } }` },
    {
      next: ({ errors }) => (errors ? subscription.errors.push(...errors) : (subscription.signals += 1)),
      error: (error) => subscription.errors.push(error),
      complete: () => (subscription.isComplete = true),
    },
  );
  await eventually(() => Promise.resolve(subscription.signals + subscription.errors.length > 0));
  return subscription;
}

const untilSignalled = (subscription: TestSubscription, count: number) =>
  eventually(() => Promise.resolve(subscription.signals > count));

describe('notificationArrived', () => {
  it('signals immediately, then only for notifications to the subscriber', async () => {
    const { community, ada, bob, eva } = await newSpaceOfThree();
    const [toAda, toBob, toEva] = await Promise.all(
      [ada, bob, eva].map(({ student }) => subscribe(community, student.token)),
    );
    if (!toAda || !toBob || !toEva) throw new Error('missing subscriptions');
    const questionId = await ada.ask();
    await untilSignalled(toBob, 1);
    await untilSignalled(toEva, 1);
    await bob.answer(questionId);
    await untilSignalled(toAda, 1);
    // Her question signalled only the others, the answer only her.
    expect([toAda.signals, toBob.signals, toEva.signals]).toEqual([2, 2, 2]);
    await eva.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`);
    await eva.commentOnQuestion(questionId, `@[${bob.student.studentId}]`);
    await untilSignalled(toBob, 2);
    await untilSignalled(toAda, 2);
    expect([toAda.signals, toBob.signals, toEva.signals]).toEqual([3, 3, 2]);
  });

  it('signals only what can already be read', async () => {
    const { community, ada, bob } = await newSpaceOfThree();
    const subscription = await subscribe(community, ada.student.token);
    await bob.ask();
    await untilSignalled(subscription, 1);
    expect(await ada.query(`getNewNotificationCount(space: "${community.spaceId}")`)).toBe(1);
  });

  it('rejects guests and non-members', async () => {
    const { community } = await newSpaceOfThree();
    const outsider = await app.signUp();
    const codesOf = ({ errors }: TestSubscription) => JSON.stringify(errors);
    expect(codesOf(await subscribe(community))).toContain('UNAUTHENTICATED');
    expect(codesOf(await subscribe(community, outsider.token))).toContain('FORBIDDEN');
  });

  it('completes when the student leaves the space', async () => {
    const { community, ada, bob } = await newSpaceOfThree();
    const subscription = await subscribe(community, ada.student.token);
    await ada.perform(`leaveSpace(spaceId: "${community.spaceId}") { _id }`);
    await eventually(() => Promise.resolve(subscription.isComplete));
    await bob.ask();
    expect(subscription.signals).toBe(1);
  });
});

describe('WebSocket', () => {
  const UNAUTHORIZED = 4401;

  it('closes with its own session and no other', async () => {
    const { community, ada, bob } = await newSpaceOfThree();
    const [subscription, other] = [
      await subscribe(community, ada.student.token),
      await subscribe(community, bob.student.token),
    ];
    await ada.perform('logout { flag }');
    expect(await subscription.closed).toBe(UNAUTHORIZED);
    const before = other.signals;
    await ada.refusal(`{ getNewNotificationCount(space: "${community.spaceId}") }`);
    const eva = new Participant(app, community.members[2] ?? ada.student, community);
    await eva.ask();
    await untilSignalled(other, before);
  });

  it('closes when all sessions of its student end', async () => {
    const { community, ada } = await newSpaceOfThree();
    const subscription = await subscribe(community, ada.student.token);
    await app.execute(new BlockStudent(app.operator(), ada.student.studentId, 'A test'));
    expect(await subscription.closed).toBe(UNAUTHORIZED);
  });

  it('closes even if the end of its session was not announced', async () => {
    const { community, ada } = await newSpaceOfThree();
    const subscription = await subscribe(community, ada.student.token);
    await app.pool.query('delete from state.session where student_id = $1', [ada.student.studentId]);
    await app.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'nimo api listener'`,
    );
    expect(await subscription.closed).toBe(UNAUTHORIZED);
  });
});

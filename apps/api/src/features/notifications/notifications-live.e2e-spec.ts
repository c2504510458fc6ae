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

async function meet() {
  const community = await newCommunity(app, 3);
  const [ada, bob, eva] = community.members.map((member) => new Participant(app, member, community));
  if (!ada || !bob || !eva) throw new Error('there are no members');
  return { community, ada, bob, eva };
}

interface Ear {
  heard: number;
  /** Resolves with the code when the server closes the socket. */
  readonly closed: Promise<number>;
  readonly errors: unknown[];
  isComplete: boolean;
}

/** Listens as a browser does, and resolves once the first word has come or the server refused. */
async function listen({ spaceId }: Community, token?: string): Promise<Ear> {
  let close = (_code: number): void => undefined;
  const ear: Ear = {
    heard: 0,
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
      next: ({ errors }) => (errors ? ear.errors.push(...errors) : (ear.heard += 1)),
      error: (error) => ear.errors.push(error),
      complete: () => (ear.isComplete = true),
    },
  );
  await eventually(() => Promise.resolve(ear.heard + ear.errors.length > 0));
  return ear;
}

const heardMore = (ear: Ear, than: number) => eventually(() => Promise.resolve(ear.heard > than));

describe('the bell', () => {
  it('is rung at once, and then for its own receiver alone', async () => {
    const { community, ada, bob, eva } = await meet();
    const [toAda, toBob, toEva] = await Promise.all(
      [ada, bob, eva].map(({ student }) => listen(community, student.token)),
    );
    if (!toAda || !toBob || !toEva) throw new Error('nobody listens');
    const questionId = await ada.ask();
    await heardMore(toBob, 1);
    await heardMore(toEva, 1);
    await bob.answer(questionId);
    await heardMore(toAda, 1);
    // Her own question rang for the others only, and the answer rang for nobody but her.
    expect([toAda.heard, toBob.heard, toEva.heard]).toEqual([2, 2, 2]);
    await eva.does(`upvoteQuestion(questionId: "${questionId}") { _id }`);
    await eva.commentOnQuestion(questionId, `@[${bob.student.studentId}]`);
    await heardMore(toBob, 2);
    await heardMore(toAda, 2);
    expect([toAda.heard, toBob.heard, toEva.heard]).toEqual([3, 3, 2]);
  });

  it('can be answered by reading: what rang is there', async () => {
    const { community, ada, bob } = await meet();
    const ear = await listen(community, ada.student.token);
    await bob.ask();
    await heardMore(ear, 1);
    expect(await ada.query(`getNewNotificationCount(space: "${community.spaceId}")`)).toBe(1);
  });

  it('is for members with a session', async () => {
    const { community } = await meet();
    const outsider = await app.signUp();
    const codesOf = ({ errors }: Ear) => JSON.stringify(errors);
    expect(codesOf(await listen(community))).toContain('UNAUTHENTICATED');
    expect(codesOf(await listen(community, outsider.token))).toContain('FORBIDDEN');
  });

  it('falls silent when its student leaves the space', async () => {
    const { community, ada, bob } = await meet();
    const ear = await listen(community, ada.student.token);
    await ada.does(`leaveSpace(spaceId: "${community.spaceId}") { _id }`);
    await eventually(() => Promise.resolve(ear.isComplete));
    await bob.ask();
    expect(ear.heard).toBe(1);
  });
});

describe('a socket', () => {
  const UNAUTHORIZED = 4401;

  it('is closed with the session under which it was opened, and with no other', async () => {
    const { community, ada, bob } = await meet();
    const [ear, other] = [
      await listen(community, ada.student.token),
      await listen(community, bob.student.token),
    ];
    await ada.does('logout { flag }');
    expect(await ear.closed).toBe(UNAUTHORIZED);
    const before = other.heard;
    await ada.refusal(`{ getNewNotificationCount(space: "${community.spaceId}") }`);
    const eva = new Participant(app, community.members[2] ?? ada.student, community);
    await eva.ask();
    await heardMore(other, before);
  });

  it('is closed when all sessions of its student end', async () => {
    const { community, ada } = await meet();
    const ear = await listen(community, ada.student.token);
    await app.execute(new BlockStudent(app.operator(), ada.student.studentId, 'A test'));
    expect(await ear.closed).toBe(UNAUTHORIZED);
  });

  it('is closed when the end of its session went unheard', async () => {
    const { community, ada } = await meet();
    const ear = await listen(community, ada.student.token);
    await app.pool.query('delete from state.session where student_id = $1', [ada.student.studentId]);
    await app.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'nimo api listener'`,
    );
    expect(await ear.closed).toBe(UNAUTHORIZED);
  });
});

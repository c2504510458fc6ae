import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EventStoreDbDouble } from '@nimo/event-store/testing';
import { ProjectionWaiter } from '@nimo/projection-engine';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import type { Community } from '../../../../../test/community.js';
import { newParticipants, type Participant } from '../../../../../test/participant.js';
import { sweepState } from '../runtime/retention.js';

const REUSED = {
  message: 'This Idempotency-Key was used for another request. Send a new key with a new request.',
  extensions: { code: 'CONFLICT', field: 'Idempotency-Key', rule: 'IDEMPOTENCY_KEY_REUSED' },
};

const stores = [
  { name: 'PostgreSQL', start: () => Promise.resolve({ settings: {}, stop: () => Promise.resolve() }) },
  {
    name: 'EventStoreDB',
    start: async () => {
      const double = await EventStoreDbDouble.start();
      return { settings: { EVENTSTORE_URL: double.connectionString }, stop: () => double.stop() };
    },
  },
];

describe.each(stores)('an idempotency key, with the log in $name', ({ start }) => {
  let app: TestApp;
  let stop: () => Promise<void>;
  let community: Community;
  let ada: Participant;
  let bob: Participant;
  beforeAll(async () => {
    const engine = await start();
    stop = () => engine.stop();
    app = await bootApp(engine.settings);
    const { people, community: made } = await newParticipants(app, 2);
    [ada, bob] = people;
    community = made;
  });
  afterAll(async () => {
    await app.close();
    await stop();
  });

  const newKey = () => ({ 'idempotency-key': randomUUID() });
  const upvote = (id: string) => `upvoteQuestion(questionId: "${id}") { question { upvoteCount } }`;
  const downvote = (id: string) => `downvoteQuestion(questionId: "${id}") { question { upvoteCount } }`;
  const answerTo = (id: string, text: string) =>
    `createAnswer(questionId: "${id}", body: "<p>${text}</p>") { _id }`;
  const space = (verb: 'join' | 'leave') => `${verb}Space(spaceId: "${community.spaceId}") { _id }`;
  /** As seen by another student, whose reads do not wait for the voter's writes. */
  const votesOn = async (id: string) => {
    await app.caughtUp();
    const seen = await bob.query<{ upvoteCount: number }>(
      `getQuestionById(questionId: "${id}") { upvoteCount }`,
    );
    return seen.upvoteCount;
  };
  const answersOf = async (id: string) =>
    (
      await bob.query<{ docs: readonly { _id: string }[] }>(
        `getPaginatedAnswers(questions: ["${id}"]) { docs { _id } }`,
      )
    ).docs.map(({ _id }) => _id);

  it('returns the same id for a repeated request', async () => {
    const [id, key] = [await bob.ask(), newKey()];
    const made = [];
    for (let time = 0; time < 3; time += 1)
      made.push((await ada.mutate(answerTo(id, 'Yes.'), key)).data.done);
    expect(await answersOf(id)).toEqual([made[0]?._id]);
    expect(made).toEqual([made[0], made[0], made[0]]);
  });

  it('runs concurrent duplicates once and returns the same result', async () => {
    const [id, key] = [await bob.ask(), newKey()];
    const duplicates = await Promise.all(
      Array.from({ length: 5 }, () => ada.mutate(answerTo(id, 'Yes.'), key)),
    );
    expect(duplicates.flatMap(({ errors }) => errors ?? [])).toEqual([]);
    expect(new Set(duplicates.map(({ data }) => data.done._id))).toEqual(new Set(await answersOf(id)));
    expect(await answersOf(id)).toHaveLength(1);
  });

  it('does not undo later changes when repeated', async () => {
    const [id, key] = [await bob.ask(), newKey()];
    await ada.mutate(upvote(id), key);
    await ada.perform(upvote(id));
    expect(await votesOn(id)).toBe(0);
    expect((await ada.mutate(upvote(id), key)).errors).toBeUndefined();
    expect(await votesOn(id)).toBe(0);
  });

  it('remembers a request that had nothing to do', async () => {
    const key = newKey();
    await ada.perform(space('leave'));
    expect((await ada.mutate(space('leave'), key)).errors).toBeUndefined();
    await ada.perform(space('join'));
    expect((await ada.mutate(space('leave'), key)).errors).toBeUndefined();
    const spaces = await ada.query<readonly { _id: string }[]>('getStudentSpaces { _id }');
    expect(spaces.map(({ _id }) => _id)).toContain(community.spaceId);
  });

  it('returns the result after a fault between append and response', async () => {
    const [id, key] = [await bob.ask(), newKey()];
    const waiting = jest
      .spyOn(app.api.get(ProjectionWaiter, { strict: false }), 'waitFor')
      .mockRejectedValueOnce(new Error('the process ended here'));
    expect((await ada.mutate(answerTo(id, 'Yes.'), key)).errors).toHaveLength(1);
    waiting.mockRestore();
    const again = await ada.mutate(answerTo(id, 'Yes.'), key);
    expect(await answersOf(id)).toEqual([again.data.done._id]);
  });

  it('is rejected for another target, body or operation', async () => {
    const [one, two] = [await bob.ask(), await bob.ask()];
    const vote = newKey();
    await ada.mutate(upvote(one), vote);
    expect((await ada.mutate(upvote(two), vote)).errors).toMatchObject([REUSED]);
    expect((await ada.mutate(downvote(one), vote)).errors).toMatchObject([REUSED]);
    expect([await votesOn(one), await votesOn(two)]).toEqual([1, 0]);
    const write = newKey();
    await ada.mutate(answerTo(one, 'Yes.'), write);
    expect((await ada.mutate(answerTo(one, 'No.'), write)).errors).toMatchObject([REUSED]);
    expect(await answersOf(one)).toHaveLength(1);
    // Also for operations that issue no command.
    expect((await ada.mutate('logout { flag }', write)).errors).toMatchObject([REUSED]);
  });

  it('is rejected for the same document with other variables', async () => {
    const [one, two] = [await bob.ask(), await bob.ask()];
    const key = newKey();
    const vote = (id: string) =>
      app.graphql(
        'mutation($id: ID!) { upvoteQuestion(questionId: $id) { _id } }',
        { id },
        ada.student.token,
        key,
      );
    expect((await vote(one)).errors).toBeUndefined();
    expect((await vote(two)).errors).toMatchObject([REUSED]);
    expect([await votesOn(one), await votesOn(two)]).toEqual([1, 0]);
  });

  it('covers all mutations of a request, each run once', async () => {
    const [one, two] = [await bob.ask(), await bob.ask()];
    const key = newKey();
    const both = `mutation { a: ${upvote(one)} b: ${upvote(two)} c: ${upvote(two)} }`;
    for (let time = 0; time < 2; time += 1) {
      const { errors } = await app.graphql(both, {}, ada.student.token, key);
      expect(errors).toBeUndefined();
      expect([await votesOn(one), await votesOn(two)]).toEqual([1, 0]);
    }
  });

  it('is scoped to the student', async () => {
    const [one, two] = [await bob.ask(), await ada.ask()];
    const key = newKey();
    expect((await ada.mutate(upvote(one), key)).errors).toBeUndefined();
    expect((await bob.mutate(upvote(two), key)).errors).toBeUndefined();
    expect([await votesOn(one), await votesOn(two)]).toEqual([1, 1]);
  });

  it('is stored without personal data and expires after a week', async () => {
    const [one, two] = [await bob.ask(), await bob.ask()];
    const key = newKey();
    await ada.mutate(upvote(one), key);
    const { rows } = await app.pool.query<{ rows: string }>(
      'select string_agg(to_jsonb(k)::text, chr(10)) as rows from state.idempotency_keys k',
    );
    for (const known of [ada.student.studentId, key['idempotency-key'], one])
      expect(rows[0]?.rows).not.toContain(known);
    await sweepState(app.pool, { securityLogDays: 180 });
    expect((await ada.mutate(upvote(two), key)).errors).toMatchObject([REUSED]);
    await app.pool.query(`update state.idempotency_keys set used_at = now() - interval '8 days'`);
    await sweepState(app.pool, { securityLogDays: 180 });
    expect((await ada.mutate(upvote(two), key)).errors).toBeUndefined();
    expect([await votesOn(one), await votesOn(two)]).toEqual([1, 1]);
  });

  it.each([[' '], ['k'.repeat(201)], ['k'.repeat(4_000)]])('is rejected when malformed', async (key) => {
    const id = await bob.ask();
    const { errors } = await ada.mutate(upvote(id), { 'idempotency-key': key });
    expect(errors).toMatchObject([
      {
        message: 'Idempotency-Key must have 1 to 200 characters.',
        extensions: { code: 'VALIDATION_FAILED', rule: 'IDEMPOTENCY_KEY_INVALID' },
      },
    ]);
    expect(await votesOn(id)).toBe(0);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { expiredToken } from '../../../../../test/expired-session.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

interface Projection {
  readonly name: string;
  readonly state: string;
  readonly lagEvents: number;
  readonly live: { readonly generation: number; readonly leader: string | null; readonly bytes: number };
  readonly error: { readonly eventId: string; readonly message: string; readonly ordinal: number } | null;
  readonly skipped: readonly { readonly reason: string }[];
  readonly rebuild: {
    readonly isHeld: boolean;
    readonly isReady: boolean;
    readonly isRollback: boolean;
    readonly isWayBack: boolean;
    readonly generation: number;
  } | null;
  readonly lastVerification: { readonly outcome: string } | null;
  readonly generations: readonly { readonly generation: number; readonly status: string }[];
  readonly history: readonly {
    readonly kind: string;
    readonly actorKind: string;
    readonly actor: { readonly _id: string } | null;
    readonly reason: string | null;
  }[];
}

interface Stop {
  readonly eventId: string;
  readonly projections: readonly string[];
  readonly data:
    | readonly { readonly name: string; readonly value: string; readonly isProtected: boolean }[]
    | null;
}

const FIELDS = `{ name state lagEvents lagMs eventsPerSecond live { generation leader bytes } error { eventId message ordinal }
  skipped { reason eventType ordinal } rebuild { generation isHeld isReady isRollback isWayBack done total eventsPerSecond secondsLeft }
  verification { done total } lastVerification { outcome liveHash rebuiltHash } generations { generation status isSwitchable }
  history { kind at actorKind actor { _id } generation hold outcome eventType ordinal reason } }`;

let app: TestApp;
let community: Community;
let student: Participant;
let moderator: Participant;
let maintainer: Participant;
beforeAll(async () => {
  app = await bootApp();
  community = await newCommunity(app, 3);
  const [first, second, third] = community.members;
  if (!first || !second || !third) throw new Error('no members');
  await app.grantRole(second.studentId, 'MODERATOR');
  await app.grantRole(third.studentId, 'MAINTAINER');
  [student, moderator, maintainer] = [first, second, third].map(
    (member) => new Participant(app, member, community),
  ) as [Participant, Participant, Participant];
});
afterAll(() => app.close());

const projection = (name: string) => maintainer.query<Projection>(`getProjection(name: "${name}") ${FIELDS}`);
const maintain = async (operation: string): Promise<Projection> => {
  const { data, errors } = await maintainer.mutate<Projection>(`${operation} ${FIELDS}`);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.done;
};
const rebuild = (names: string, more = '') =>
  maintainer.mutate<Projection[]>(`rebuildProjections(names: [${names}]${more}) ${FIELDS}`);
const isLive = (generation: number) => (projection: Projection) =>
  projection.live.generation === generation && projection.rebuild === null;

describe('projections', () => {
  it('are listed with their purpose and state', async () => {
    const all = await maintainer.query<Projection[]>(
      `getProjections { name purpose state lagEvents live { leader bytes } }`,
    );
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['questions', 'leaderboard', 'search']),
    );
    for (const { live } of all) {
      expect(live.bytes).toBeGreaterThan(0);
      expect(live.leader).toMatch(/\/\d+$/);
    }
  });

  it('are rebuilt while live and switched back, with every actor in the history', async () => {
    const questionId = await student.ask();
    await rebuild('"questions"');
    await eventually(() => projection('questions'), isLive(2));
    expect(await student.query(`getQuestionById(questionId: "${questionId}") { _id }`)).toEqual({
      _id: questionId,
    });
    await maintain('switchProjection(name: "questions", generation: 1)');
    const { generations, history } = await eventually(
      () => projection('questions'),
      (seen) => isLive(1)(seen) && seen.history.length >= 3,
    );
    expect(generations.map(({ status }) => status)).toEqual(['live', 'retired']);
    expect(history.map(({ kind }) => kind)).toEqual([
      'ProjectionSwitched',
      'ProjectionSwitched',
      'ProjectionRebuildStarted',
    ]);
    for (const { actor } of history) expect(actor).toEqual({ _id: maintainer.student.studentId });
  });

  it('are held, and dropped when the rebuild is cancelled', async () => {
    await rebuild('"news"', ', hold: true');
    const held = await eventually(
      () => projection('news'),
      ({ rebuild: built }) => built?.isHeld === true && built.isReady,
    );
    expect(held.rebuild).toMatchObject({ isRollback: false, isWayBack: false });
    expect(await maintainer.refusal('mutation { retryProjection(name: "news") { name } }')).toEqual({
      message: 'The projection is not stopped at an event.',
      code: 'CONFLICT',
    });
    await maintain('cancelRebuild(name: "news")');
    // A worker carries it out.
    const cancelled = await eventually(
      () => projection('news'),
      (seen) => seen.rebuild === null,
    );
    expect(cancelled.live.generation).toBe(1);
    expect(await maintainer.refusal('mutation { cancelRebuild(name: "news") { name } }')).toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('are verified by replaying the whole log', async () => {
    await maintain('verifyProjection(name: "spaces")');
    const { lastVerification, history } = await eventually(
      () => projection('spaces'),
      (seen) => seen.lastVerification !== null && seen.history.length >= 2,
    );
    expect(lastVerification).toMatchObject({ outcome: 'EQUAL' });
    expect(history.map(({ kind, actorKind }) => [kind, actorKind])).toEqual([
      ['ProjectionVerificationFinished', 'system'],
      ['ProjectionVerificationStarted', 'student'],
    ]);
  });

  it('skip only the event they stopped at, with a reason', async () => {
    const { rows } = await app.pool.query<{ event_id: string }>(
      'select event_id from log.events order by position limit 1',
    );
    const eventId = rows[0]?.event_id ?? '';
    // As recorded by the runner when an event fails.
    await app.pool.query(
      `update read.projection_generations set error = $1 where name = 'activities' and status = 'live'`,
      [
        JSON.stringify({
          eventId,
          eventType: 'VoteCast',
          ordinal: 1_000_000,
          position: '1',
          message: 'cannot be applied',
          at: new Date().toISOString(),
        }),
      ],
    );
    expect(await projection('activities')).toMatchObject({
      state: 'STOPPED',
      error: { message: 'cannot be applied' },
    });
    const skip = (id: string, reason: string) =>
      `skipProjectionEvent(name: "activities", eventId: "${id}", reason: "${reason}")`;
    expect(await maintainer.refusal(`mutation { ${skip('another', 'x')} { name } }`)).toMatchObject({
      code: 'CONFLICT',
      field: 'eventId',
    });
    expect(await maintainer.refusal(`mutation { ${skip(eventId, ' ')} { name } }`)).toMatchObject({
      code: 'VALIDATION_FAILED',
      field: 'reason',
    });
    await maintain(skip(eventId, 'No longer needed'));
    const skipped = await eventually(
      () => projection('activities'),
      (seen) => seen.error === null,
    );
    expect(skipped.skipped).toMatchObject([{ reason: 'No longer needed' }]);
    expect(skipped.history[0]).toMatchObject({ kind: 'ProjectionEventSkipped', reason: 'No longer needed' });
  });

  it('skip an event everywhere after showing it without personal data', async () => {
    const names = ['activities', 'statistics'] as const;
    const { rows: tables } = await app.pool.query<{ name: string; constrained: string }>(
      `select t.name, format('read.%I', t.table_name || '__g' || t.generation) as constrained
       from read.generation_tables t join read.projection_generations g using (name, generation)
       where g.status = 'live' and t.name = any($1)`,
      [names],
    );
    // A fault that only this event meets.
    for (const { constrained } of tables)
      await app.pool.query(`alter table ${constrained} add constraint fault check (false) not valid`);
    const title = 'Why does the sky look blue?';
    const asking = student.ask({ title });
    const stops = await eventually(
      () =>
        maintainer.query<Stop[]>(
          `getStoppedEvents { eventId eventType ordinal projections data { name value isProtected } }`,
        ),
      (seen) => seen.some(({ projections }) => projections.length === names.length),
    );
    const [stop] = stops;
    expect(stops).toMatchObject([{ eventType: 'QuestionAsked', projections: [...names] }]);
    expect(stop?.data?.find(({ name }) => name === 'authorId')).toMatchObject({ isProtected: true });
    expect(stop?.data?.find(({ name }) => name === 'spaceId')).toMatchObject({ value: community.spaceId });
    expect(JSON.stringify(stop)).not.toContain(title);
    expect(JSON.stringify(stop)).not.toContain(student.student.studentId);
    for (const { constrained } of tables)
      await app.pool.query(`alter table ${constrained} drop constraint fault`);

    const skip = (eventId: string | undefined, reason: string) =>
      `mutation { skipEventInAllProjections(eventId: "${eventId}", reason: "${reason}") { name } }`;
    expect(await maintainer.refusal(skip(stop?.eventId, ' '))).toMatchObject({
      code: 'VALIDATION_FAILED',
      field: 'reason',
    });
    expect(await maintainer.refusal(skip('another', 'x'))).toMatchObject({
      code: 'CONFLICT',
      field: 'eventId',
    });
    const key = { 'idempotency-key': randomUUID() };
    const ask = () =>
      app.graphql<{ skipEventInAllProjections: object[] }>(
        skip(stop?.eventId, 'A fault of May'),
        {},
        maintainer.student.token,
        key,
      );
    const skipped = names.map((name) => ({ name }));
    expect((await ask()).data.skipEventInAllProjections).toEqual(skipped);
    expect((await ask()).data.skipEventInAllProjections).toEqual(skipped);
    for (const name of names) {
      const seen = await eventually(
        () => projection(name),
        ({ error }) => error === null,
      );
      expect(seen.skipped.filter(({ reason }) => reason === 'A fault of May')).toHaveLength(1);
    }
    const { rows } = await app.pool.query(
      `select count(*)::int as events, count(distinct metadata ->> 'correlationId')::int as correlations
       from log.events where type = 'ProjectionEventSkipped' and data::text like '%A fault of May%'`,
    );
    expect(rows).toEqual([{ events: 2, correlations: 1 }]);
    await asking;
  });

  it('refuse unknown names and generations', async () => {
    for (const operation of [
      '{ getProjection(name: "rumours") { name } }',
      'mutation { rebuildProjections(names: ["news", "rumours"]) { name } }',
      'mutation { switchProjection(name: "news", generation: 99) { name } }',
    ])
      expect(await maintainer.refusal(operation)).toMatchObject({ code: 'NOT_FOUND' });
    expect((await projection('news')).rebuild).toBeNull();
  });
});

describe('operations on projections', () => {
  const operations = [
    '{ getProjections { name } }',
    '{ getProjection(name: "news") { name } }',
    'mutation { rebuildProjections(names: ["news"]) { name } }',
    'mutation { cancelRebuild(name: "news") { name } }',
    'mutation { switchProjection(name: "news", generation: 1) { name } }',
    'mutation { verifyProjection(name: "news") { name } }',
    'mutation { cancelVerification(name: "news") { name } }',
    'mutation { retryProjection(name: "news") { name } }',
    'mutation { skipProjectionEvent(name: "news", eventId: "x", reason: "y") { name } }',
    '{ getStoppedEvents { eventId } }',
    'mutation { skipEventInAllProjections(eventId: "x", reason: "y") { name } }',
  ];

  it.each(operations)('are limited to maintainers: %s', async (operation) => {
    const forbidden = { message: 'You don’t have permission to do this.', code: 'FORBIDDEN' };
    expect(await student.refusal(operation)).toEqual(forbidden);
    expect(await moderator.refusal(operation)).toEqual(forbidden);
    const anonymous = await app.graphql(operation);
    expect(anonymous.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('are refused after the session expires', async () => {
    const token = await expiredToken(app, maintainer.student.studentId);
    for (const operation of operations) {
      const { errors } = await app.graphql(operation, {}, token);
      expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
  });
});

import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimDecider } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { bootApp, sharedApp, newUserName, type TestApp } from '../../../../../test/app.js';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { Claims } from './claims.js';
import { ClaimsReactor } from './claims.reactor.js';
import { eventually } from '@nimo/testing';

const CHECK = 'query($userName: String!) { checkUserName(userName: $userName) }';
const RENAME =
  'mutation($id: ID!, $userName: String) { updateStudent(id: $id, userName: $userName) { userName } }';
const LOG_IN =
  'query($userName: String, $password: String!) { login(userName: $userName, password: $password) { error } }';

let app: TestApp;
let claims: Claims;
beforeAll(async () => {
  app = await sharedApp();
  claims = app.api.get(Claims, { strict: false });
});

const isTaken = async (userName: string): Promise<unknown> =>
  (await app.graphql(CHECK, { userName })).data['checkUserName'];

async function typesOf(userName: string): Promise<string[]> {
  const store = app.api.get<EventStore>(EVENT_STORE, { strict: false });
  const hasher = app.api.get(ClaimHasher, { strict: false });
  const events = await store.readStream(claimDecider.stream('username', hasher.hash('username', userName)));
  return events.map(({ type }) => type);
}

/** Makes the student's check due and settles it. */
async function settle(studentId: string): Promise<void> {
  const due = () =>
    app.pool.query(
      `update state.claim_check set due_at = now() - interval '1 second' where student_id = $1 returning 1`,
      [studentId],
    );
  await eventually(due, ({ rowCount }) => rowCount !== 0);
  await app.api.get(ClaimsReactor, { strict: false }).settleDue();
}

describe('a user name', () => {
  it('is free before sign-up and then taken in any case', async () => {
    const userName = newUserName();
    expect(await isTaken(userName)).toBe(false);
    await app.signUp({ userName });
    expect(await isTaken(userName.toUpperCase())).toBe(true);
    expect(await typesOf(userName)).toEqual(['ClaimReserved', 'ClaimConfirmed']);
  });

  it('that looks official is taken unless an operator grants it', async () => {
    const official = `nimo_${randomInt(1_000_000)}_team`;
    expect(await isTaken(official)).toBe(true);
    await expect(app.signUp({ userName: official })).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
    const { studentId, token } = await app.signUp();
    const { errors } = await app.graphql(RENAME, { id: studentId, userName: official }, token);
    expect(errors?.[0]?.extensions.rule).toBe('USERNAME_TAKEN');
    const actor = { kind: 'operator', operator: 'ada' } as const;
    const byOperator = { ...app.contextOf(studentId), actor };
    await claims.reserve(byOperator, { kind: 'username', value: official }, studentId);
    expect(await app.graphql(RENAME, { id: studentId, userName: official }, token)).toMatchObject({
      data: { updateStudent: { userName: official } },
    });
  });

  it('is taken before any projection shows it', async () => {
    const [userName, studentId] = [newUserName(), randomUUID()];
    await claims.reserve(app.contextOf(studentId), { kind: 'username', value: userName }, studentId);
    const { rowCount } = await app.pool.query('select from read.students where lower(user_name) = $1', [
      userName,
    ]);
    expect(rowCount).toBe(0);
  });

  it('goes to only one of two concurrent sign-ups', async () => {
    const userName = newUserName();
    const answers = await Promise.allSettled([app.signUp({ userName }), app.signUp({ userName })]);
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toMatchObject({ code: 'USERNAME_TAKEN', message: 'Username already exist!' });
  });

  it('is free again after a rename, and the new name is taken', async () => {
    const [before, after] = [newUserName(), newUserName()];
    const { studentId, token, password } = await app.signUp({ userName: before });
    const renamed = await app.graphql(RENAME, { id: studentId, userName: after }, token);
    expect(renamed.data).toEqual({ updateStudent: { userName: after } });
    expect([await isTaken(before), await isTaken(after)]).toEqual([false, true]);
    const [byOld, byNew] = [
      await app.graphql(LOG_IN, { userName: before, password }),
      await app.graphql(LOG_IN, { userName: after, password }),
    ];
    expect([byOld.data, byNew.data]).toMatchObject([
      { login: { error: 'Incorrect username or password.' } },
      { login: { error: null } },
    ]);
  });

  it('can change its case', async () => {
    const userName = newUserName();
    const { studentId, token } = await app.signUp({ userName });
    const upper = userName.toUpperCase();
    const { data } = await app.graphql(RENAME, { id: studentId, userName: upper }, token);
    expect(data).toEqual({ updateStudent: { userName: upper } });
    expect(await isTaken(userName)).toBe(true);
  });

  it('of another student cannot be taken by a rename', async () => {
    const { userName } = await app.signUp();
    const { studentId, token } = await app.signUp();
    const { errors } = await app.graphql(RENAME, { id: studentId, userName }, token);
    expect(errors?.[0]).toMatchObject({
      message: 'Username already exist!',
      extensions: { code: 'CONFLICT' },
    });
  });
});

describe('an abandoned reservation', () => {
  it('is kept until it lapses', async () => {
    const [userName, studentId] = [newUserName(), randomUUID()];
    await claims.reserve(app.contextOf(studentId), { kind: 'username', value: userName }, studentId);
    await settle(studentId);
    // The app's clock has not reached the expiry: the command may still be running.
    expect(await typesOf(userName)).toEqual(['ClaimReserved']);
  });
});

describe('a lapsed reservation', () => {
  let later: TestApp;
  let now = Date.parse('2026-01-01T10:00:00.000Z');
  beforeAll(async () => {
    later = await bootApp({}, { clock: () => new Date(now) });
  });
  afterAll(() => later.close());

  it('goes to the next claimant unless its holder now has the name', async () => {
    const service = later.api.get(Claims, { strict: false });
    const [abandoned, holder] = [newUserName(), randomUUID()];
    const value = { kind: 'username', value: abandoned } as const;
    await service.reserve(later.contextOf(holder), value, holder);
    await expect(later.signUp({ userName: abandoned })).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
    now += 11 * 60_000;
    expect(await service.holderOf(value)).toBeUndefined();
    const next = await later.signUp({ userName: abandoned });
    now += 11 * 60_000;
    expect(await service.holderOf(value)).toBe(next.studentId);
  });

  it('is released by the worker if the student’s stream lacks the name', async () => {
    const reactor = later.api.get(ClaimsReactor, { strict: false });
    const service = later.api.get(Claims, { strict: false });
    const [lost, stranger] = [newUserName(), randomUUID()];
    const kept = await later.signUp();
    await service.reserve(later.contextOf(stranger), { kind: 'username', value: lost }, stranger);
    now += 11 * 60_000;
    await eventually(async () => {
      const { rowCount } = await later.pool.query('select from state.claim_check where student_id = $1', [
        stranger,
      ]);
      return rowCount === 1;
    });
    await reactor.settleDue();
    const hasher = later.api.get(ClaimHasher, { strict: false });
    const store = later.api.get<EventStore>(EVENT_STORE, { strict: false });
    const events = await store.readStream(claimDecider.stream('username', hasher.hash('username', lost)));
    expect(events.map(({ type }) => type)).toEqual(['ClaimReserved', 'ClaimReleased']);
    expect(await service.holderOf({ kind: 'username', value: kept.userName })).toBe(kept.studentId);
  });
});

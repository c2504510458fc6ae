import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, newUserName, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import {
  HeadlessBrowser,
  startOpenIdProvider,
  type OpenIdProvider,
} from '../../../../../test/servers/open-id-provider.js';
import { holdErasure, runErasureSteps } from '../../../../../test/erasure.js';
import { Participant } from '../../../../../test/participant.js';
import { sweepState } from '../../platform/runtime/retention.js';
import { RequestErasure } from '../erasure/commands/request-erasure.js';
import { ownStateSections } from '../own-data/own-parts.js';

const ORIGIN = 'http://nimo.example';

interface ListedInvitation {
  readonly _id: string;
  readonly rule: string | null;
  readonly used: number;
}
interface Pupil {
  readonly sub: string;
  readonly who: Participant;
}

let app: TestApp;
let provider: OpenIdProvider;
let community: Community;
let moderator: Participant;
beforeAll(async () => {
  provider = await startOpenIdProvider(
    ['first', 'second'].map((button) => `${ORIGIN}/auth/oidc/${button}/callback`),
  );
  const client = {
    ISSUER: provider.issuer,
    CLIENT_ID: provider.clientId,
    CLIENT_SECRET: provider.clientSecret,
  };
  const of = (button: string) =>
    Object.fromEntries(Object.entries(client).map(([name, value]) => [`OIDC_${button}_${name}`, value]));
  app = await bootApp({
    PUBLIC_URL: `${ORIGIN}/`,
    ...of('FIRST'),
    OIDC_FIRST_SCOPE: 'openid email profile groups',
    ...of('SECOND'),
    OIDC_SECOND_GROUPS_CLAIM: 'classes',
  });
  community = await newCommunity(app, 0, { entry: 'INVITATION' });
  const student = await app.signUp();
  await app.grantRole(student.studentId, 'MODERATOR', community.spaceId);
  moderator = new Participant(app, student, community);
});
afterAll(async () => {
  await app.close();
  await provider.stop();
});

async function logIn(sub: string, button = 'first') {
  const { data } = await app.graphql<{ startSignIn: { url: string; secret: string } }>(
    'mutation($p: ID!) { startSignIn(provider: $p) { url secret } }',
    { p: button },
  );
  const { url, secret } = data.startSignIn;
  const back = new URL(await new HeadlessBrowser(provider.issuer).logInAs(sub, url));
  const response = await fetch(`${app.url}${back.pathname}${back.search}`, { redirect: 'manual' });
  const fragment = new URLSearchParams((response.headers.get('location') ?? '').split('#')[1]);
  expect(fragment.get('refused')).toBeNull();
  const { data: finished } = await app.graphql<{
    finishSignIn: { accessToken: string | null; id: string; grant: string | null };
  }>('mutation($c: String!, $s: String!) { finishSignIn(code: $c, secret: $s) { accessToken id grant } }', {
    c: fragment.get('code'),
    s: secret,
  });
  return finished.finishSignIn;
}

/** Signs a new student up through the provider. */
async function signUpByProvider(claims: object): Promise<Pupil> {
  const sub = randomUUID();
  setClaims(sub, claims);
  const { id, grant } = await logIn(sub);
  const userName = newUserName();
  const { errors } = await app.graphql(
    'mutation($id: ID!, $g: String!, $u: String!) { updateStudent(id: $id, grant: $g, userName: $u, isRegistered: true) { _id } }',
    { id, g: grant, u: userName },
  );
  if (errors) throw new Error(JSON.stringify(errors));
  const { accessToken } = await logIn(sub);
  const student = { ...moderator.student, studentId: id, userName, token: accessToken ?? '' };
  return { sub, who: new Participant(app, student, community) };
}
const setClaims = (sub: string, claims: object) =>
  provider.addAccount({ sub, email: `${sub}@school.example`, email_verified: true, ...claims });

const make = async (group: string, button = 'first'): Promise<string> => {
  const { data, errors } = await moderator.mutate<string>(
    `createInvitation(space: "${community.spaceId}", details: { kind: GROUP, provider: "${button}", group: "${group}" })`,
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data.done;
};
const listed = async (id: string): Promise<ListedInvitation | undefined> => {
  const all = await moderator.query<ListedInvitation[]>(
    `getInvitations(space: "${community.spaceId}") { _id rule used }`,
  );
  return all.find(({ _id }) => _id === id);
};
const revoke = (id: string) =>
  moderator.perform(`revokeInvitation(space: "${community.spaceId}", id: "${id}") { flag }`);
const isInvited = async ({ who }: Pupil) => {
  const spaces = await who.query<{ _id: string; isInvited: boolean }[]>('getSpaces { _id isInvited }');
  return spaces.find(({ _id }) => _id === community.spaceId)?.isInvited;
};
const joinMutation = () => `joinSpace(spaceId: "${community.spaceId}") { joined isInvited }`;
const countMatches = async ({ sub }: Pupil): Promise<number> =>
  (await app.pool.query('select from state.matched_group where subject = $1', [sub])).rowCount ?? 0;

describe('group invitation', () => {
  it('admits group members from their next login until it is revoked', async () => {
    const group = `class ${randomUUID()}`;
    const eve = await signUpByProvider({ groups: [group, 'staff', 7, null] });
    const made = await make(` ${group} `);
    expect(await listed(made)).toMatchObject({ rule: `first:${group}`, used: 0 });
    // Groups without an invitation are not stored.
    expect(await isInvited(eve)).toBe(false);
    expect(await eve.who.refusal(`mutation { ${joinMutation()} }`)).toMatchObject({ code: 'FORBIDDEN' });
    await logIn(eve.sub);
    expect(await isInvited(eve)).toBe(true);
    expect(await countMatches(eve)).toBe(1);
    expect(await eve.who.perform(joinMutation())).toEqual({ joined: true, isInvited: false });
    expect(await listed(made)).toMatchObject({ used: 1 });
    await logIn(eve.sub);
    expect(await countMatches(eve)).toBe(0);

    const late = await signUpByProvider({ groups: group });
    expect(await isInvited(late)).toBe(true);
    await revoke(made);
    expect(await isInvited(late)).toBe(false);
    expect(await countMatches(late)).toBe(0);
    expect(await late.who.refusal(`mutation { ${joinMutation()} }`)).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('reads the groups claim of its own provider, also from the ID token', async () => {
    const group = `class ${randomUUID()}`;
    await make(group, 'second');
    const [other, eve] = [
      await signUpByProvider({ groups: [group] }),
      await signUpByProvider({ classes: [group] }),
    ];
    expect([await isInvited(other), await isInvited(eve)]).toEqual([false, false]);
    await logIn(other.sub, 'second');
    await logIn(eve.sub, 'second');
    expect([await isInvited(other), await isInvited(eve)]).toEqual([false, true]);
    // A login with one provider does not clear the groups of another.
    await logIn(eve.sub, 'first');
    expect(await isInvited(eve)).toBe(true);
  });

  it('rejects students of other groups and students who left the group', async () => {
    const group = `class ${randomUUID()}`;
    await make(group);
    for (const claims of [
      { groups: [`${group}x`] },
      { groups: [group.toUpperCase()] },
      { groups: [[group]] },
      {},
    ])
      expect(await isInvited(await signUpByProvider(claims))).toBe(false);
    const eve = await signUpByProvider({ groups: [group] });
    expect(await isInvited(eve)).toBe(true);
    setClaims(eve.sub, { groups: [] });
    await logIn(eve.sub);
    expect(await isInvited(eve)).toBe(false);
    expect(await countMatches(eve)).toBe(0);
  });

  it('trusts a membership for 30 days, then deletes it', async () => {
    const group = `class ${randomUUID()}`;
    await make(group);
    const eve = await signUpByProvider({ groups: [group] });
    await app.pool.query(
      `update state.matched_group set seen_at = now() - interval '30 days 1 second' where subject = $1`,
      [eve.sub],
    );
    expect(await isInvited(eve)).toBe(false);
    await sweepState(app.pool, { securityLogDays: 30 });
    expect(await countMatches(eve)).toBe(0);
  });

  it('is part of the data export and is erased with its owner', async () => {
    const group = `class ${randomUUID()}`;
    await make(group);
    const eve = await signUpByProvider({ groups: [group, 'a group without an invitation'] });
    const { studentId } = eve.who.student;
    const section = ownStateSections(studentId).find(({ name }) => name === 'groupsOfServices');
    const [statement] = section?.statements ?? [];
    if (!statement) throw new Error('no section');
    expect((await app.pool.query(statement.text, [studentId])).rows).toEqual([
      { spaceId: community.spaceId, group: `first:${group}`, seenAt: expect.any(Date) },
    ]);
    await holdErasure(app, studentId);
    await app.execute(
      new RequestErasure(app.operator(), studentId, { withWords: false, reason: 'Asked', atOnce: true }),
    );
    await runErasureSteps(app, studentId);
    expect(await countMatches(eve)).toBe(0);
  });

  it.each([
    ['provider: "third", group: "7b"', 'provider'],
    ['provider: "", group: "7b"', 'provider'],
    ['group: "7b"', 'provider'],
    ['provider: "first"', 'group'],
    ['provider: "first", group: "  "', 'group'],
    [`provider: "first", group: "${'x'.repeat(201)}"`, 'group'],
  ])('rejects %s', async (details, field) => {
    expect(
      await moderator.refusal(
        `mutation { createInvitation(space: "${community.spaceId}", details: { kind: GROUP, ${details} }) }`,
      ),
    ).toMatchObject({ code: 'VALIDATION_FAILED', field });
  });
});

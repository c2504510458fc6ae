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
import { AskErasure } from '../erasure/commands/ask-erasure.js';
import { ownStateSections } from '../own-data/own-parts.js';

const ORIGIN = 'http://nimo.example';

interface Listed {
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

/** @returns what finishes the sign-in */
async function logIn(sub: string, button = 'first') {
  const { data } = await app.graphql<{ startSignIn: { url: string; secret: string } }>(
    'mutation($p: ID!) { startSignIn(provider: $p) { url secret } }',
    { p: button },
  );
  const { url, secret } = data.startSignIn;
  const back = new URL(await new HeadlessBrowser(provider.issuer).logInAs(sub, url));
  const response = await fetch(`${app.url}${back.pathname}${back.search}`, { redirect: 'manual' });
  const told = new URLSearchParams((response.headers.get('location') ?? '').split('#')[1]);
  expect(told.get('refused')).toBeNull();
  const { data: finished } = await app.graphql<{
    finishSignIn: { accessToken: string | null; id: string; grant: string | null };
  }>('mutation($c: String!, $s: String!) { finishSignIn(code: $c, secret: $s) { accessToken id grant } }', {
    c: told.get('code'),
    s: secret,
  });
  return finished.finishSignIn;
}

/** Somebody who signed up by the provider, and is signed in. */
async function pupil(claims: object): Promise<Pupil> {
  const sub = randomUUID();
  knows(sub, claims);
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
const knows = (sub: string, claims: object) =>
  provider.knows({ sub, email: `${sub}@school.example`, email_verified: true, ...claims });

const make = async (group: string, button = 'first'): Promise<string> => {
  const { data, errors } = await moderator.mutate<string>(
    `createInvitation(space: "${community.spaceId}", details: { kind: GROUP, provider: "${button}", group: "${group}" })`,
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data.done;
};
const listed = async (id: string): Promise<Listed | undefined> => {
  const all = await moderator.query<Listed[]>(
    `getInvitations(space: "${community.spaceId}") { _id rule used }`,
  );
  return all.find(({ _id }) => _id === id);
};
const revoke = (id: string) =>
  moderator.does(`revokeInvitation(space: "${community.spaceId}", id: "${id}") { flag }`);
const isInvited = async ({ who }: Pupil) => {
  const spaces = await who.query<{ _id: string; isInvited: boolean }[]>('getSpaces { _id isInvited }');
  return spaces.find(({ _id }) => _id === community.spaceId)?.isInvited;
};
const joining = () => `joinSpace(spaceId: "${community.spaceId}") { joined isInvited }`;
const rowsOf = async ({ sub }: Pupil): Promise<number> =>
  (await app.pool.query('select from state.carried_group where subject = $1', [sub])).rowCount ?? 0;

describe('a group at a provider', () => {
  it('lets in who carries it from the next log-in on, until it is revoked', async () => {
    const group = `class ${randomUUID()}`;
    const eve = await pupil({ groups: [group, 'staff', 7, null] });
    const made = await make(` ${group} `);
    expect(await listed(made)).toMatchObject({ rule: `first:${group}`, used: 0 });
    // Nobody noted groups that no space asked for.
    expect(await isInvited(eve)).toBe(false);
    expect(await eve.who.refusal(`mutation { ${joining()} }`)).toMatchObject({ code: 'FORBIDDEN' });
    await logIn(eve.sub);
    expect(await isInvited(eve)).toBe(true);
    expect(await rowsOf(eve)).toBe(1);
    expect(await eve.who.does(joining())).toEqual({ joined: true, isInvited: false });
    expect(await listed(made)).toMatchObject({ used: 1 });
    await logIn(eve.sub);
    expect(await rowsOf(eve)).toBe(0);

    const late = await pupil({ groups: group });
    expect(await isInvited(late)).toBe(true);
    await revoke(made);
    expect(await isInvited(late)).toBe(false);
    expect(await rowsOf(late)).toBe(0);
    expect(await late.who.refusal(`mutation { ${joining()} }`)).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is read from the claim of its own provider, out of the id token too', async () => {
    const group = `class ${randomUUID()}`;
    await make(group, 'second');
    const [other, eve] = [await pupil({ groups: [group] }), await pupil({ classes: [group] })];
    expect([await isInvited(other), await isInvited(eve)]).toEqual([false, false]);
    await logIn(other.sub, 'second');
    await logIn(eve.sub, 'second');
    expect([await isInvited(other), await isInvited(eve)]).toEqual([false, true]);
    // What the first provider does not say is not taken from what the second said.
    await logIn(eve.sub, 'first');
    expect(await isInvited(eve)).toBe(true);
  });

  it('is for nobody whose groups have another name, and for nobody who left it', async () => {
    const group = `class ${randomUUID()}`;
    await make(group);
    for (const claims of [
      { groups: [`${group}x`] },
      { groups: [group.toUpperCase()] },
      { groups: [[group]] },
      {},
    ])
      expect(await isInvited(await pupil(claims))).toBe(false);
    const eve = await pupil({ groups: [group] });
    expect(await isInvited(eve)).toBe(true);
    knows(eve.sub, { groups: [] });
    await logIn(eve.sub);
    expect(await isInvited(eve)).toBe(false);
    expect(await rowsOf(eve)).toBe(0);
  });

  it('is believed for thirty days, and swept', async () => {
    const group = `class ${randomUUID()}`;
    await make(group);
    const eve = await pupil({ groups: [group] });
    await app.pool.query(
      `update state.carried_group set seen_at = now() - interval '30 days 1 second' where subject = $1`,
      [eve.sub],
    );
    expect(await isInvited(eve)).toBe(false);
    await sweepState(app.pool, { securityLogDays: 30 });
    expect(await rowsOf(eve)).toBe(0);
  });

  it('is in the copy of the own data, and gone with its owner', async () => {
    const group = `class ${randomUUID()}`;
    await make(group);
    const eve = await pupil({ groups: [group, 'a group that nobody asks for'] });
    const { studentId } = eve.who.student;
    const section = ownStateSections(studentId).find(({ name }) => name === 'groupsOfServices');
    const [statement] = section?.statements ?? [];
    if (!statement) throw new Error('no section');
    expect((await app.pool.query(statement.text, [studentId])).rows).toEqual([
      { spaceId: community.spaceId, group: `first:${group}`, seenAt: expect.any(Date) },
    ]);
    await holdErasure(app, studentId);
    await app.execute(
      new AskErasure(app.operator(), studentId, { withWords: false, reason: 'Asked', atOnce: true }),
    );
    await runErasureSteps(app, studentId);
    expect(await rowsOf(eve)).toBe(0);
  });

  it.each([
    ['provider: "third", group: "7b"', 'provider'],
    ['provider: "", group: "7b"', 'provider'],
    ['group: "7b"', 'provider'],
    ['provider: "first"', 'group'],
    ['provider: "first", group: "  "', 'group'],
    [`provider: "first", group: "${'x'.repeat(201)}"`, 'group'],
  ])('is refused with %s', async (details, field) => {
    expect(
      await moderator.refusal(
        `mutation { createInvitation(space: "${community.spaceId}", details: { kind: GROUP, ${details} }) }`,
      ),
    ).toMatchObject({ code: 'VALIDATION_FAILED', field });
  });
});

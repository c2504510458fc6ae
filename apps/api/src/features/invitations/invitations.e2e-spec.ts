import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { bootApp, type GraphqlAnswer, sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newSpace, type Community } from '../../../../../test/community.js';
import { holdErasure, runErasureSteps } from '../../../../../test/erasure.js';
import { eventually } from '@nimo/testing';
import { Participant } from '../../../../../test/participant.js';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import { LIMITS } from '../../platform/rate-limit/limits.js';
import { sweepState } from '../../platform/runtime/retention.js';
import { RequestErasure } from '../erasure/commands/request-erasure.js';

interface ListedInvitation {
  readonly _id: string;
  readonly kind: string;
  readonly state: string;
  readonly secret: string | null;
  readonly uses: number | null;
  readonly used: number;
  readonly rule: string | null;
  readonly createdBy: { readonly userName: string } | null;
}

let app: TestApp;
let community: Community;
let moderator: Participant;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 1, { entry: 'INVITATION' });
  const student = await app.signUp();
  await app.grantRole(student.studentId, 'MODERATOR', community.spaceId);
  moderator = new Participant(app, student, community);
});

const newcomer = async (options = {}): Promise<Participant> =>
  new Participant(app, await app.signUp(options), community);
const createMutation = (details: string, space = community.spaceId) =>
  `createInvitation(space: "${space}", details: { ${details} })`;
const make = async (
  details: string,
  by = moderator,
  space = community.spaceId,
): Promise<ListedInvitation> => {
  const { data, errors } = await by.mutate<string>(createMutation(details, space));
  if (errors) throw new Error(JSON.stringify(errors));
  const id = data.done;
  const found = (await list(by, space)).find(({ _id }) => _id === id);
  if (!found) throw new Error('the invitation is not listed');
  return found;
};
const list = (by = moderator, space = community.spaceId): Promise<readonly ListedInvitation[]> =>
  by.query(
    `getInvitations(space: "${space}") { _id kind state secret uses used rule createdBy { userName } }`,
  );
const listed = async (id: string) => (await list()).find(({ _id }) => _id === id);
const useMutation = (secret: string | null) => `joinByInvitation(secret: "${secret}") { _id joined }`;
const refusal = (by: Participant, operation: string) => by.refusal(`mutation { ${operation} }`);
const LINK = 'kind: LINK, uses: 5, days: 7';
const revoke = (id: string, by = moderator, space = community.spaceId) =>
  by.mutate(`revokeInvitation(space: "${space}", id: "${id}") { flag }`);
const isInvited = async (by: Participant) => {
  const spaces = await by.query<{ _id: string; isInvited: boolean }[]>('getSpaces { _id isInvited }');
  return spaces.find(({ _id }) => _id === community.spaceId)?.isInvited;
};
const joinMutation = () => `joinSpace(spaceId: "${community.spaceId}") { joined isInvited }`;
/** A class code as earlier versions encoded it. */
function formerCode(bytes: Buffer): string {
  const alphabet = 'ACDEFHJKMNPRTVWXY3479';
  const base = BigInt(alphabet.length);
  const value = BigInt(`0x${bytes.toString('hex')}`);
  return Array.from({ length: 8 }, (_, at) =>
    alphabet.charAt(Number((value / base ** BigInt(at)) % base)),
  ).join('');
}
const newAddress = () => `s${randomUUID().slice(0, 8)}@school.example`;
/** Confirms an email address the way the settings screen does. */
const newcomerWithEmail = async (email: string): Promise<Participant> => {
  const who = await newcomer();
  const { password, token } = who.student;
  const { data } = await app.graphql<{ done: { _id: string } }>(
    'mutation($v: String!, $p: String!) { done: startContactChange(kind: EMAIL, value: $v, password: $p) { _id } }',
    { v: email, p: password },
    token,
  );
  const codeAt = (recipient: string) =>
    eventually(async () => {
      const { rows } = await app.pool.query<{ text: string }>(
        'select text from state.outbox where lower(recipient) = lower($1) order by id desc limit 1',
        [recipient],
      );
      return /\b\d{6}\b/.exec(rows[0]?.text ?? '')?.[0] ?? '';
    });
  await who.perform(
    `finishContactChange(id: "${data.done._id}", newCode: "${await codeAt(email)}", ownCode: "${await codeAt(`+${who.student.phone}`)}") { flag }`,
  );
  return who;
};

describe('invitation link', () => {
  it('shows its space, admits, and is listed with its uses and creator', async () => {
    const link = await make(LINK);
    expect(link).toMatchObject({ state: 'ACTIVE', used: 0, uses: 5, rule: null });
    expect(link.secret).toMatch(/^[\w-]{43}$/);
    expect(link.createdBy?.userName).toBe(moderator.student.userName);
    const eve = await newcomer();
    expect(await eve.query(`getInvitedSpace(secret: "${link.secret}") { _id joined memberCount }`)).toEqual({
      _id: community.spaceId,
      joined: false,
      memberCount: null,
    });
    expect(await eve.perform(useMutation(link.secret))).toMatchObject({ joined: true });
    expect(await eve.perform(useMutation(link.secret))).toMatchObject({ joined: true });
    expect(await listed(link._id)).toMatchObject({ used: 1, state: 'ACTIVE' });
    const { rows } = await app.pool.query<{ type: string }>(
      'select type from log.events where stream_id = $1 order by revision',
      [`membership-${community.spaceId}-${eve.student.studentId}`],
    );
    expect(rows.map(({ type }) => type)).toEqual(['InvitationUsed', 'SpaceJoined']);
  });

  it('counts one use per student, who can rejoin with it', async () => {
    const link = await make('kind: LINK, uses: 1, days: 7');
    const [eve, dan] = await Promise.all([newcomer(), newcomer()]);
    await eve.perform(useMutation(link.secret));
    await eve.perform(`leaveSpace(spaceId: "${community.spaceId}") { joined }`);
    expect(await eve.perform(useMutation(link.secret))).toMatchObject({ joined: true });
    expect(await refusal(dan, useMutation(link.secret))).toEqual({
      message: 'This invitation has no uses left. Ask for a new one.',
      code: 'FORBIDDEN',
    });
    expect(await listed(link._id)).toMatchObject({ used: 1, state: 'USED_UP', secret: null });
  });

  it('gives its last use to one of several concurrent callers and rejects the others', async () => {
    const link = await make('kind: LINK, uses: 2, days: 1');
    const people = await Promise.all([1, 2, 3, 4, 5].map(() => newcomer()));
    const answers = await Promise.all(people.map((who) => who.mutate(useMutation(link.secret))));
    const refused = answers.flatMap(({ errors }) => errors ?? []);
    expect(refused.map(({ extensions }) => extensions.rule)).toEqual(Array(3).fill('INVITATION_USED_UP'));
    expect(await listed(link._id)).toMatchObject({ used: 2, state: 'USED_UP' });
  });

  it('counts concurrent calls of one student once', async () => {
    const link = await make(LINK);
    const eve = await newcomer();
    await Promise.all([1, 2, 3, 4].map(() => eve.perform(useMutation(link.secret))));
    expect(await listed(link._id)).toMatchObject({ used: 1 });
  });

  it('counts a use even if a concurrent call admitted the student', async () => {
    const link = await make('kind: LINK, uses: 1, days: 1');
    const eve = await newcomer();
    const bus = app.api.get(CommandBus, { strict: false });
    const execute = bus.execute.bind(bus);
    const spy = jest.spyOn(bus, 'execute').mockImplementationOnce(async (command) => {
      await eve.perform(useMutation(link.secret));
      return execute(command);
    });
    expect(await eve.perform(useMutation(link.secret))).toMatchObject({ joined: true });
    spy.mockRestore();
    expect(await listed(link._id)).toMatchObject({ used: 1, state: 'USED_UP' });
  });

  it('does not count a use for members or for rejected students', async () => {
    const link = await make('kind: LINK, uses: 1, days: 1');
    const [member] = community.members;
    if (!member) throw new Error('missing member');
    await new Participant(app, member, community).perform(useMutation(link.secret));
    const eve = await newcomer();
    await eve.perform(useMutation((await make(LINK)).secret));
    await moderator.perform(
      `removeMember(space: "${community.spaceId}", studentId: "${eve.student.studentId}", reason: "Left") { flag }`,
    );
    expect(await refusal(eve, useMutation(link.secret))).toMatchObject({ code: 'FORBIDDEN' });
    expect(await listed(link._id)).toMatchObject({ used: 0, state: 'ACTIVE' });
  });

  it('reveals nothing about the space if it is expired, revoked or forged', async () => {
    const [expired, revoked] = [await make(LINK), await make(LINK)];
    await app.pool.query('update state.invitation set expires_at = now() where id = $1', [expired._id]);
    await revoke(revoked._id);
    await revoke(revoked._id);
    const eve = await newcomer();
    const forged = `${(expired.secret ?? '').slice(0, -1)}_`;
    for (const [secret, rule] of [
      [expired.secret, 'INVITATION_EXPIRED'],
      [revoked.secret, 'INVITATION_WITHDRAWN'],
      [forged === expired.secret ? 'x'.repeat(43) : forged, 'INVITATION_UNKNOWN'],
      ['', 'INVITATION_UNKNOWN'],
      ['x'.repeat(5_000), 'INVITATION_UNKNOWN'],
    ] as const)
      for (const operation of [
        `mutation { ${useMutation(secret)} }`,
        `{ getInvitedSpace(secret: "${secret}") { name } }`,
      ]) {
        const { data, errors } = await app.graphql(operation, {}, eve.student.token);
        expect([secret, errors?.[0]?.extensions.rule]).toEqual([secret, rule]);
        expect(data).toBeNull();
      }
    expect(await listed(expired._id)).toMatchObject({ state: 'EXPIRED', secret: null });
    expect(await listed(revoked._id)).toMatchObject({ state: 'REVOKED', secret: null });
  });

  it('is stored only as a hash', async () => {
    const [link, code] = [await make(LINK), await make('kind: CODE, uses: 30, days: 7')];
    const { rows } = await app.pool.query<{ text: string }>(
      `select data::text as text from log.events where stream_id like 'invitation-%'
       union all select i::text from state.invitation i`,
    );
    for (const { secret } of [link, code]) {
      if (secret === null) throw new Error('no secret');
      expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
    }
  });
});

describe('class code', () => {
  it('is short, avoids similar letters and tolerates case, spaces and hyphens', async () => {
    const code = await make('kind: CODE, uses: 30, days: 7');
    expect(code.secret).toMatch(/^[ACDEFHJKMNPRTVWXY3479]{6}$/);
    const typed = ` ${(code.secret ?? '').slice(0, 3).toLowerCase()}-${(code.secret ?? '').slice(3)} `;
    const eve = await newcomer();
    expect(await eve.perform(useMutation(typed))).toMatchObject({ joined: true });
    expect(await listed(code._id)).toMatchObject({ used: 1 });
  });

  it('names its space to visitors, without the number of members', async () => {
    const { secret } = await make('kind: CODE, uses: 30, days: 7');
    const lookup = `{ getInvitedSpace(secret: "${secret}") { name joined memberCount request isInvited } }`;
    const { data } = await app.graphql<{ getInvitedSpace: object }>(lookup);
    expect(data.getInvitedSpace).toEqual({
      name: expect.stringMatching(/./),
      joined: false,
      memberCount: null,
      request: null,
      isInvited: false,
    });
  });

  it('of eight characters, from an earlier version, stays valid', async () => {
    const code = await make('kind: CODE, uses: 30, days: 7');
    const hasher = app.api.get(ClaimHasher, { strict: false });
    const { rows } = await app.pool.query<{ salt: Buffer }>(
      'select salt from state.invitation where id = $1',
      [code._id],
    );
    const former = formerCode(
      hasher.hashSecret('invitation-CODE', code._id, rows[0]?.salt.toString('hex') ?? ''),
    );
    await app.pool.query('update state.invitation set secret_hash = $2 where id = $1', [
      code._id,
      hasher.hashSecret('invitation', former),
    ]);
    expect(await listed(code._id)).toMatchObject({ secret: former });
    const eve = await newcomer();
    expect(await eve.perform(useMutation(former))).toMatchObject({ joined: true });
  });
});

describe('guessing codes', () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await bootApp({ RATE_LIMIT_FACTOR: '1', TRUST_PROXY: 'true' });
  });
  afterAll(() => strict.close());

  const WRONG = 'ACDEFH';
  const lookUp = (secret: string, client: string, token?: string) =>
    strict.graphql(`{ getInvitedSpace(secret: "${secret}") { _id } }`, {}, token, {
      'x-forwarded-for': client,
    });
  const ruleOf = ({ errors }: GraphqlAnswer<unknown>) => errors?.[0]?.extensions.rule;
  const newCode = async () => {
    const { spaceId } = await newCommunity(strict, 1, { entry: 'INVITATION' });
    const staff = await strict.signUp();
    await strict.grantRole(staff.studentId, 'MODERATOR', spaceId);
    const place = { ...community, spaceId };
    return make('kind: CODE, uses: 30, days: 7', new Participant(strict, staff, place), spaceId);
  };

  it('is limited for each account', async () => {
    const { token } = await strict.signUp();
    const tries = await Promise.all(
      Array.from({ length: 40 }, () =>
        strict.graphql(`mutation { joinByInvitation(secret: "${WRONG}") { _id } }`, {}, token),
      ),
    );
    expect(tries.filter((answer) => ruleOf(answer) === 'INVITATION_UNKNOWN')).toHaveLength(30);
    expect(tries.filter((answer) => ruleOf(answer) === 'TOO_MANY_CODES_TRIED')).toHaveLength(10);
    expect(ruleOf(await lookUp(WRONG, '198.51.100.1', token))).toBe('TOO_MANY_CODES_TRIED');
  });

  it('requires an account after too many wrong codes from one address', async () => {
    const client = '198.51.100.2';
    const { secret } = await newCode();
    for (let tries = 0; tries < LIMITS.invitationMissesPerAddress.max; tries += 1) {
      expect(ruleOf(await lookUp(WRONG, client))).toBe('INVITATION_UNKNOWN');
      // The right code is free.
      if (tries === 0) expect(ruleOf(await lookUp(secret ?? '', client))).toBeUndefined();
    }
    expect(ruleOf(await lookUp(secret ?? '', client))).toBe('CODE_REQUIRES_ACCOUNT');
    expect(ruleOf(await lookUp(secret ?? '', '198.51.100.3'))).toBeUndefined();
    const { token } = await strict.signUp();
    expect(ruleOf(await lookUp(secret ?? '', client, token))).toBeUndefined();
  });

  it('requires an account after too many wrong codes from all addresses together', async () => {
    const client = '198.51.100.4';
    const { secret } = await newCode();
    await lookUp(WRONG, client);
    await strict.pool.query(`update state.throttle set used = $1 where key like 'invitation-miss-all:%'`, [
      LIMITS.invitationMisses.max - 1,
    ]);
    expect(ruleOf(await lookUp(WRONG, client))).toBe('INVITATION_UNKNOWN');
    expect(ruleOf(await lookUp(secret ?? '', '198.51.100.5'))).toBe('CODE_REQUIRES_ACCOUNT');
    const { token } = await strict.signUp();
    expect(ruleOf(await lookUp(secret ?? '', client, token))).toBeUndefined();
  });
});

describe('contact list', () => {
  it('admits each owner of a confirmed contact once, whether confirmed before or after', async () => {
    const email = newAddress();
    const eve = await newcomer();
    const made = await make(`kind: LIST, days: 7, contacts: "${eve.student.phone}, ${email.toUpperCase()}"`);
    expect(made).toMatchObject({ uses: 2, used: 0, secret: null, rule: null });
    const dan = await newcomerWithEmail(email);
    for (const who of [eve, dan]) {
      expect(await isInvited(who)).toBe(true);
      expect(await who.perform(joinMutation())).toEqual({ joined: true, isInvited: false });
      expect(await isInvited(who)).toBe(false);
    }
    expect(await listed(made._id)).toMatchObject({ used: 2, state: 'USED_UP' });
    const left = await app.pool.query('select 1 from state.invited_contact where invitation_id = $1', [
      made._id,
    ]);
    expect(left.rowCount).toBe(0);
    await eve.perform(`leaveSpace(spaceId: "${community.spaceId}") { joined }`);
    expect(await refusal(eve, joinMutation())).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('rejects students with an unconfirmed address', async () => {
    const email = newAddress();
    await make(`kind: LIST, days: 7, contacts: "${email}"`);
    const eve = await newcomer();
    await app.graphql(
      'mutation($v: String!, $p: String!) { startContactChange(kind: EMAIL, value: $v, password: $p) { _id } }',
      { v: email, p: eve.student.password },
      eve.student.token,
    );
    expect(await isInvited(eve)).toBe(false);
    expect(await refusal(eve, joinMutation())).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is rejected as a whole, naming the invalid lines', async () => {
    const before = (await list()).length;
    const bad = String.raw`kind: LIST, days: 7, contacts: "${newAddress()}\nanna\n\n12345"`;
    expect(await refusal(moderator, createMutation(bad))).toEqual({
      message: 'Not an email address or mobile number: line 2, 4. Nothing was saved.',
      code: 'VALIDATION_FAILED',
      field: 'contacts',
    });
    expect(await refusal(moderator, createMutation('kind: LIST, days: 7'))).toMatchObject({
      field: 'contacts',
    });
    expect(await list()).toHaveLength(before);
  });

  it('stores only keyed hashes and deletes them on revocation or expiry', async () => {
    const { student } = await newcomer();
    const [revoked, expired] = [
      await make(`kind: LIST, days: 7, contacts: "${student.phone}"`),
      await make(`kind: LIST, days: 7, contacts: "${student.phone}"`),
    ];
    const hashesOf = async ({ _id }: ListedInvitation) => {
      const { rows } = await app.pool.query<{ text: string }>(
        'select c::text as text from state.invited_contact c where invitation_id = $1',
        [_id],
      );
      return rows.map(({ text }) => text);
    };
    expect(await hashesOf(revoked)).toHaveLength(1);
    expect((await hashesOf(revoked)).join()).not.toContain(student.phone);
    await revoke(revoked._id);
    expect(await hashesOf(revoked)).toEqual([]);
    await app.pool.query('update state.invitation set expires_at = now() where id = $1', [expired._id]);
    await sweepState(app.pool, { securityLogDays: 30 });
    expect(await hashesOf(expired)).toEqual([]);
    await app.pool.query(
      `update state.invitation set expires_at = now() - interval '31 days' where id = $1`,
      [expired._id],
    );
    await sweepState(app.pool, { securityLogDays: 30 });
    expect(await listed(expired._id)).toBeUndefined();
  });
});

describe('domain invitation', () => {
  it('admits owners of a confirmed address, but not of a subdomain, until it is revoked', async () => {
    const domain = `d${randomUUID().slice(0, 8)}.example`;
    const made = await make(`kind: DOMAIN, domain: "@${domain.toUpperCase()}"`);
    expect(made).toMatchObject({ rule: domain, uses: null, state: 'ACTIVE' });
    const [eve, sub, late] = await Promise.all([
      newcomerWithEmail(`eve@${domain}`),
      newcomerWithEmail(`eve@mail.${domain}`),
      newcomerWithEmail(`late@${domain}`),
    ]);
    expect(await isInvited(sub)).toBe(false);
    expect(await refusal(sub, joinMutation())).toMatchObject({ code: 'FORBIDDEN' });
    expect(await eve.perform(joinMutation())).toMatchObject({ joined: true });
    expect(await listed(made._id)).toMatchObject({ used: 1 });
    expect(await isInvited(late)).toBe(true);
    await revoke(made._id);
    expect(await isInvited(late)).toBe(false);
    expect(await refusal(late, joinMutation())).toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('invitation', () => {
  it('can be created and revoked only by staff of its space', async () => {
    const link = await make(LINK);
    const [eve, elsewhere, maintainer] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    const other = await newSpace(app, undefined, { entry: 'INVITATION' });
    await app.grantRole(elsewhere.student.studentId, 'MODERATOR', other);
    await app.grantRole(maintainer.student.studentId, 'MAINTAINER');
    for (const by of [eve, elsewhere]) {
      expect(await refusal(by, createMutation(LINK))).toMatchObject({ code: 'FORBIDDEN' });
      expect((await revoke(link._id, by)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
      expect(await by.refusal(`{ getInvitations(space: "${community.spaceId}") { _id } }`)).toMatchObject({
        code: 'FORBIDDEN',
      });
    }
    expect((await revoke(link._id, elsewhere, other)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect(await listed(link._id)).toMatchObject({ state: 'ACTIVE' });
    expect(await make(LINK, maintainer)).toMatchObject({ state: 'ACTIVE' });
    expect((await revoke(link._id, maintainer)).errors).toBeUndefined();
  });

  it('is rejected with the name of the invalid field', async () => {
    for (const [details, field] of [
      ['kind: LINK, days: 7', 'uses'],
      ['kind: LINK, uses: 0, days: 7', 'uses'],
      ['kind: CODE, uses: 1001, days: 7', 'uses'],
      ['kind: LINK, uses: 1', 'days'],
      ['kind: CODE, uses: 1, days: 366', 'days'],
      ['kind: DOMAIN', 'domain'],
      ['kind: DOMAIN, domain: "school"', 'domain'],
      ['kind: GROUP, group: "7b"', 'provider'],
      ['kind: GROUP, provider: "first", group: "7b"', 'provider'],
    ])
      expect([details, await refusal(moderator, createMutation(details ?? ''))]).toEqual([
        details,
        expect.objectContaining({ code: 'VALIDATION_FAILED', field }),
      ]);
    const keeper = await newcomer();
    await app.grantRole(keeper.student.studentId, 'MAINTAINER');
    expect(await refusal(keeper, createMutation(LINK, await newSpace(app)))).toMatchObject({
      code: 'CONFLICT',
    });
    expect(await refusal(keeper, createMutation(LINK, randomUUID()))).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is created once per idempotency key', async () => {
    const before = (await list()).length;
    const key = { 'idempotency-key': randomUUID() };
    const [first, again] = [
      await moderator.mutate(createMutation(LINK), key),
      await moderator.mutate(createMutation(LINK), key),
    ];
    expect(again.data).toEqual(first.data);
    expect(await list()).toHaveLength(before + 1);
  });
});

describe('erased student', () => {
  it('is removed from contact lists, uses and creators', async () => {
    const eve = await newcomer();
    const { studentId, phone } = eve.student;
    await app.grantRole(studentId, 'MODERATOR', community.spaceId);
    const made = await make(LINK, eve);
    await eve.perform(useMutation((await make(LINK)).secret));
    const mine = await make(`kind: LIST, days: 7, contacts: "${phone}"`);
    await holdErasure(app, studentId);
    await app.execute(
      new RequestErasure(app.operator(), studentId, { withWords: false, reason: 'Asked', atOnce: true }),
    );
    await runErasureSteps(app, studentId);
    const { rows } = await app.pool.query(
      `select 1 from state.invitation where made_by = $1 union all select 1 from state.invitation_use where student_id = $1
         union all select 1 from state.invited_contact where invitation_id = $2`,
      [studentId, mine._id],
    );
    expect(rows).toEqual([]);
    expect(await listed(made._id)).toMatchObject({ state: 'ACTIVE', createdBy: null });
  });
});

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { bootApp, sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newSpace, type Community } from '../../../../../test/community.js';
import { holdErasure, runErasureSteps } from '../../../../../test/erasure.js';
import { eventually } from '@nimo/testing';
import { Participant } from '../../../../../test/participant.js';
import { sweepState } from '../../platform/runtime/retention.js';
import { AskErasure } from '../erasure/commands/ask-erasure.js';

interface Listed {
  readonly _id: string;
  readonly kind: string;
  readonly state: string;
  readonly secret: string | null;
  readonly uses: number | null;
  readonly used: number;
  readonly rule: string | null;
  readonly madeBy: { readonly userName: string } | null;
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
const creating = (details: string, space = community.spaceId) =>
  `createInvitation(space: "${space}", details: { ${details} })`;
const make = async (details: string, by = moderator, space = community.spaceId): Promise<Listed> => {
  const { data, errors } = await by.mutate<string>(creating(details, space));
  if (errors) throw new Error(JSON.stringify(errors));
  const id = data.done;
  const found = (await list(by, space)).find(({ _id }) => _id === id);
  if (!found) throw new Error('it is not listed');
  return found;
};
const list = (by = moderator, space = community.spaceId): Promise<readonly Listed[]> =>
  by.query(`getInvitations(space: "${space}") { _id kind state secret uses used rule madeBy { userName } }`);
const listed = async (id: string) => (await list()).find(({ _id }) => _id === id);
const using = (secret: string | null) => `joinByInvitation(secret: "${secret}") { _id joined }`;
const refusal = (by: Participant, operation: string) => by.refusal(`mutation { ${operation} }`);
const LINK = 'kind: LINK, uses: 5, days: 7';
const revoke = (id: string, by = moderator, space = community.spaceId) =>
  by.mutate(`revokeInvitation(space: "${space}", id: "${id}") { flag }`);
const isInvited = async (by: Participant) => {
  const spaces = await by.query<{ _id: string; isInvited: boolean }[]>('getSpaces { _id isInvited }');
  return spaces.find(({ _id }) => _id === community.spaceId)?.isInvited;
};
const joining = () => `joinSpace(spaceId: "${community.spaceId}") { joined isInvited }`;
const mail = () => `s${randomUUID().slice(0, 8)}@school.example`;
/** Proves an address, as the settings screen does. */
const withEmail = async (email: string): Promise<Participant> => {
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
  await who.does(
    `finishContactChange(id: "${data.done._id}", newCode: "${await codeAt(email)}", ownCode: "${await codeAt(`+${who.student.phone}`)}") { flag }`,
  );
  return who;
};

describe('an invitation link', () => {
  it('names its space, lets in, and is listed with its uses and maker', async () => {
    const link = await make(LINK);
    expect(link).toMatchObject({ state: 'ACTIVE', used: 0, uses: 5, rule: null });
    expect(link.secret).toMatch(/^[\w-]{43}$/);
    expect(link.madeBy?.userName).toBe(moderator.student.userName);
    const eve = await newcomer();
    expect(await eve.query(`getInvitedSpace(secret: "${link.secret}") { _id joined memberCount }`)).toEqual({
      _id: community.spaceId,
      joined: false,
      memberCount: null,
    });
    expect(await eve.does(using(link.secret))).toMatchObject({ joined: true });
    expect(await eve.does(using(link.secret))).toMatchObject({ joined: true });
    expect(await listed(link._id)).toMatchObject({ used: 1, state: 'ACTIVE' });
    const { rows } = await app.pool.query<{ type: string }>(
      'select type from log.events where stream_id = $1 order by revision',
      [`membership-${community.spaceId}-${eve.student.studentId}`],
    );
    expect(rows.map(({ type }) => type)).toEqual(['InvitationUsed', 'SpaceJoined']);
  });

  it('is one use a person, who may come back by it', async () => {
    const link = await make('kind: LINK, uses: 1, days: 7');
    const [eve, dan] = await Promise.all([newcomer(), newcomer()]);
    await eve.does(using(link.secret));
    await eve.does(`leaveSpace(spaceId: "${community.spaceId}") { joined }`);
    expect(await eve.does(using(link.secret))).toMatchObject({ joined: true });
    expect(await refusal(dan, using(link.secret))).toEqual({
      message: 'This invitation has no uses left. Ask for a new one.',
      code: 'FORBIDDEN',
    });
    expect(await listed(link._id)).toMatchObject({ used: 1, state: 'USED_UP', secret: null });
  });

  it('gives its last use to one of those who take it at once, and the others a clear answer', async () => {
    const link = await make('kind: LINK, uses: 2, days: 1');
    const people = await Promise.all([1, 2, 3, 4, 5].map(() => newcomer()));
    const answers = await Promise.all(people.map((who) => who.mutate(using(link.secret))));
    const refused = answers.flatMap(({ errors }) => errors ?? []);
    expect(refused.map(({ extensions }) => extensions.rule)).toEqual(Array(3).fill('INVITATION_USED_UP'));
    expect(await listed(link._id)).toMatchObject({ used: 2, state: 'USED_UP' });
  });

  it('is counted once, however often one person takes it at once', async () => {
    const link = await make(LINK);
    const eve = await newcomer();
    await Promise.all([1, 2, 3, 4].map(() => eve.does(using(link.secret))));
    expect(await listed(link._id)).toMatchObject({ used: 1 });
  });

  it('is counted also where the other of two calls at once let the person in', async () => {
    const link = await make('kind: LINK, uses: 1, days: 1');
    const eve = await newcomer();
    const bus = app.api.get(CommandBus, { strict: false });
    const execute = bus.execute.bind(bus);
    const overtaken = jest.spyOn(bus, 'execute').mockImplementationOnce(async (command) => {
      await eve.does(using(link.secret));
      return execute(command);
    });
    expect(await eve.does(using(link.secret))).toMatchObject({ joined: true });
    overtaken.mockRestore();
    expect(await listed(link._id)).toMatchObject({ used: 1, state: 'USED_UP' });
  });

  it('costs members nothing, and nobody who may not come in', async () => {
    const link = await make('kind: LINK, uses: 1, days: 1');
    const [member] = community.members;
    if (!member) throw new Error('no member');
    await new Participant(app, member, community).does(using(link.secret));
    const eve = await newcomer();
    await eve.does(using((await make(LINK)).secret));
    await moderator.does(
      `removeMember(space: "${community.spaceId}", studentId: "${eve.student.studentId}", reason: "Left") { flag }`,
    );
    expect(await refusal(eve, using(link.secret))).toMatchObject({ code: 'FORBIDDEN' });
    expect(await listed(link._id)).toMatchObject({ used: 0, state: 'ACTIVE' });
  });

  it('that expired, was revoked or is forged says so, and nothing of the space', async () => {
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
        `mutation { ${using(secret)} }`,
        `{ getInvitedSpace(secret: "${secret}") { name } }`,
      ]) {
        const { data, errors } = await app.graphql(operation, {}, eve.student.token);
        expect([secret, errors?.[0]?.extensions.rule]).toEqual([secret, rule]);
        expect(data).toBeNull();
      }
    expect(await listed(expired._id)).toMatchObject({ state: 'EXPIRED', secret: null });
    expect(await listed(revoked._id)).toMatchObject({ state: 'REVOKED', secret: null });
  });

  it('stands nowhere but as a hash', async () => {
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

describe('a class code', () => {
  it('is short, without letters that look alike, and typed as people type', async () => {
    const code = await make('kind: CODE, uses: 30, days: 7');
    expect(code.secret).toMatch(/^[ACDEFHJKMNPRTVWXY3479]{8}$/);
    const typed = ` ${(code.secret ?? '').slice(0, 4).toLowerCase()}-${(code.secret ?? '').slice(4)} `;
    const eve = await newcomer();
    expect(await eve.does(using(typed))).toMatchObject({ joined: true });
    expect(await listed(code._id)).toMatchObject({ used: 1 });
  });

  it('is not found by trying', async () => {
    const strict = await bootApp({ RATE_LIMIT_FACTOR: '1' });
    try {
      const { token } = await strict.signUp();
      const tries = await Promise.all(
        Array.from({ length: 40 }, () =>
          strict.graphql('mutation { joinByInvitation(secret: "ACDEFHJK") { _id } }', {}, token),
        ),
      );
      const codes = tries.map(({ errors }) => errors?.[0]?.extensions.code);
      expect(codes.filter((of) => of === 'NOT_FOUND')).toHaveLength(30);
      expect(codes.filter((of) => of === 'TOO_MANY_REQUESTS')).toHaveLength(10);
      const looked = await strict.graphql('{ getInvitedSpace(secret: "ACDEFHJK") { _id } }', {}, token);
      expect(looked.errors?.[0]?.extensions.code).toBe('TOO_MANY_REQUESTS');
    } finally {
      await strict.close();
    }
  });
});

describe('a list of addresses and numbers', () => {
  it('lets in whoever proved one of them, before or after, once', async () => {
    const email = mail();
    const eve = await newcomer();
    const made = await make(`kind: LIST, days: 7, contacts: "${eve.student.phone}, ${email.toUpperCase()}"`);
    expect(made).toMatchObject({ uses: 2, used: 0, secret: null, rule: null });
    const dan = await withEmail(email);
    for (const who of [eve, dan]) {
      expect(await isInvited(who)).toBe(true);
      expect(await who.does(joining())).toEqual({ joined: true, isInvited: false });
      expect(await isInvited(who)).toBe(false);
    }
    expect(await listed(made._id)).toMatchObject({ used: 2, state: 'USED_UP' });
    const left = await app.pool.query('select 1 from state.invited_contact where invitation_id = $1', [
      made._id,
    ]);
    expect(left.rowCount).toBe(0);
    await eve.does(`leaveSpace(spaceId: "${community.spaceId}") { joined }`);
    expect(await refusal(eve, joining())).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is for nobody else, and not for an address that was not proved', async () => {
    const email = mail();
    await make(`kind: LIST, days: 7, contacts: "${email}"`);
    const eve = await newcomer();
    await app.graphql(
      'mutation($v: String!, $p: String!) { startContactChange(kind: EMAIL, value: $v, password: $p) { _id } }',
      { v: email, p: eve.student.password },
      eve.student.token,
    );
    expect(await isInvited(eve)).toBe(false);
    expect(await refusal(eve, joining())).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is all or nothing, and names the lines that are wrong', async () => {
    const before = (await list()).length;
    const bad = String.raw`kind: LIST, days: 7, contacts: "${mail()}\nanna\n\n12345"`;
    expect(await refusal(moderator, creating(bad))).toEqual({
      message: 'Not an email address or mobile number: line 2, 4. Nothing was saved.',
      code: 'VALIDATION_FAILED',
      field: 'contacts',
    });
    expect(await refusal(moderator, creating('kind: LIST, days: 7'))).toMatchObject({ field: 'contacts' });
    expect(await list()).toHaveLength(before);
  });

  it('keeps keyed hashes alone, which go when it is revoked or expires', async () => {
    const { student } = await newcomer();
    const [revoked, expired] = [
      await make(`kind: LIST, days: 7, contacts: "${student.phone}"`),
      await make(`kind: LIST, days: 7, contacts: "${student.phone}"`),
    ];
    const hashesOf = async ({ _id }: Listed) => {
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

describe('a domain', () => {
  it('lets in whoever proved an address of it, not of its subdomains, until it is revoked', async () => {
    const domain = `d${randomUUID().slice(0, 8)}.example`;
    const made = await make(`kind: DOMAIN, domain: "@${domain.toUpperCase()}"`);
    expect(made).toMatchObject({ rule: domain, uses: null, state: 'ACTIVE' });
    const [eve, sub, late] = await Promise.all([
      withEmail(`eve@${domain}`),
      withEmail(`eve@mail.${domain}`),
      withEmail(`late@${domain}`),
    ]);
    expect(await isInvited(sub)).toBe(false);
    expect(await refusal(sub, joining())).toMatchObject({ code: 'FORBIDDEN' });
    expect(await eve.does(joining())).toMatchObject({ joined: true });
    expect(await listed(made._id)).toMatchObject({ used: 1 });
    expect(await isInvited(late)).toBe(true);
    await revoke(made._id);
    expect(await isInvited(late)).toBe(false);
    expect(await refusal(late, joining())).toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('an invitation', () => {
  it('is made and revoked by staff of its space alone', async () => {
    const link = await make(LINK);
    const [eve, elsewhere, maintainer] = await Promise.all([newcomer(), newcomer(), newcomer()]);
    const other = await newSpace(app, undefined, { entry: 'INVITATION' });
    await app.grantRole(elsewhere.student.studentId, 'MODERATOR', other);
    await app.grantRole(maintainer.student.studentId, 'MAINTAINER');
    for (const by of [eve, elsewhere]) {
      expect(await refusal(by, creating(LINK))).toMatchObject({ code: 'FORBIDDEN' });
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

  it('is refused for each thing that is wrong with it', async () => {
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
      expect([details, await refusal(moderator, creating(details ?? ''))]).toEqual([
        details,
        expect.objectContaining({ code: 'VALIDATION_FAILED', field }),
      ]);
    const keeper = await newcomer();
    await app.grantRole(keeper.student.studentId, 'MAINTAINER');
    expect(await refusal(keeper, creating(LINK, await newSpace(app)))).toMatchObject({ code: 'CONFLICT' });
    expect(await refusal(keeper, creating(LINK, randomUUID()))).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is one for a repeated request', async () => {
    const before = (await list()).length;
    const key = { 'idempotency-key': randomUUID() };
    const [first, again] = [
      await moderator.mutate(creating(LINK), key),
      await moderator.mutate(creating(LINK), key),
    ];
    expect(again.data).toEqual(first.data);
    expect(await list()).toHaveLength(before + 1);
  });
});

describe('a student who is erased', () => {
  it('is in no list, among no users and nobody’s maker any more', async () => {
    const eve = await newcomer();
    const { studentId, phone } = eve.student;
    await app.grantRole(studentId, 'MODERATOR', community.spaceId);
    const made = await make(LINK, eve);
    await eve.does(using((await make(LINK)).secret));
    const mine = await make(`kind: LIST, days: 7, contacts: "${phone}"`);
    await holdErasure(app, studentId);
    await app.execute(
      new AskErasure(app.operator(), studentId, { withWords: false, reason: 'Asked', atOnce: true }),
    );
    await runErasureSteps(app, studentId);
    const { rows } = await app.pool.query(
      `select 1 from state.invitation where made_by = $1 union all select 1 from state.invitation_use where student_id = $1
         union all select 1 from state.invited_contact where invitation_id = $2`,
      [studentId, mine._id],
    );
    expect(rows).toEqual([]);
    expect(await listed(made._id)).toMatchObject({ state: 'ACTIVE', madeBy: null });
  });
});

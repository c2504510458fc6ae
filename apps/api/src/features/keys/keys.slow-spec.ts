import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import request from 'supertest';
import {
  bootApp,
  newPhone,
  newUserName,
  type BootedApp,
  type SignedUpStudent,
} from '../../../../../test/app.js';
import { startNimo, type CliResult } from '../../../../../test/command-line.js';
import { newCommunity } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { seal } from '../../platform/personal-data/sealed-values.js';
import { keyName } from '../../platform/personal-data/student-keys.js';
import { CreateStudent } from '../students/commands/register-student.js';
import { eventually } from '@nimo/testing';

const KEY = (letter: string): string => Buffer.alloc(32, letter).toString('base64');
const FORMER_HMAC = KEY('h');
const FORMER_MASTER = KEY('m');
const HMAC = { NIMO_HMAC_KEY: KEY('H'), NIMO_HMAC_KEY_PREVIOUS: FORMER_HMAC };
const MASTER = { NIMO_MASTER_KEY: KEY('M'), NIMO_MASTER_KEY_PREVIOUS: FORMER_MASTER };
const PASSWORD = 'correct horse';

/** Each test rotates the keys of its own installation. */
let app: BootedApp;
beforeEach(async () => {
  app = await bootApp();
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
  await app.close();
});

type Other = Awaited<ReturnType<BootedApp['anotherApi']>>;
const others: Other[] = [];

async function apiWith(changed: Readonly<Record<string, string>>): Promise<Other> {
  const other = await app.anotherApi({}, changed);
  others.push(other);
  return other;
}

const nimo = (settings: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  startNimo(
    {
      DATABASE_URL: app.pool.options.connectionString ?? '',
      NIMO_DATA_DIR: app.dataDir,
      LOG_SIGNING_KEY: KEY('l'),
      NIMO_OPERATOR: 'Olga',
      ...settings,
    },
    ...args,
  );

const answered = ({
  code,
  stdout,
  stderr,
}: CliResult): { readonly code: number | null; readonly stdout: string } => {
  expect(stderr).toBe('');
  return { code, stdout };
};

async function canLogIn(url: string, userName: string): Promise<boolean> {
  const { body } = await request(url)
    .post('/graphql')
    .send({
      query:
        'query($userName: String, $password: String!) { login(userName: $userName, password: $password) { accessToken } }',
      variables: { userName, password: PASSWORD },
    });
  const { accessToken } = (body as { data: { login: { accessToken: string | null } } }).data.login;
  return accessToken !== null;
}

const signUpAt = (api: Pick<Other, 'api'>, phone: string): Promise<string> =>
  api.api.get(CommandBus).execute(new CreateStudent(app.contextOf(randomUUID()), phone));

const INVITATIONS = (space: string): string => `getInvitations(space: "${space}") { _id secret }`;

/** Confirms an email address the way the settings screen does. */
async function confirmEmail({ token, phone, password }: SignedUpStudent, email: string): Promise<void> {
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
  const [newCode, ownCode] = [await codeAt(email), await codeAt(`+${phone}`)];
  const { errors } = await app.graphql(
    'mutation($id: ID!, $n: String!, $o: String!) { finishContactChange(id: $id, newCode: $n, ownCode: $o) { flag } }',
    { id: data.done._id, n: newCode, o: ownCode },
    token,
  );
  expect(errors).toBeUndefined();
}

describe('HMAC key rotation', () => {
  it('neither locks out nor duplicates students who sign in or sign up meanwhile', async () => {
    const before = await app.signUp({ password: PASSWORD });
    const both = await apiWith(HMAC);
    // One process knows only the previous key, the other both.
    expect([await canLogIn(app.url, before.userName), await canLogIn(both.url, before.userName)]).toEqual([
      true,
      true,
    ]);
    for (let round = 0; round < 10; round += 1) {
      const phone = newPhone();
      const ids = await Promise.all([signUpAt(app, phone), signUpAt(both, phone), signUpAt(app, phone)]);
      expect(new Set(ids).size).toBe(1);
    }
    const userName = newUserName();
    const meanwhile = await app.signUp({ userName: newUserName(), password: PASSWORD });
    const rename = (url: string, { studentId, token }: typeof before) =>
      request(url)
        .post('/graphql')
        .set('authorization', `Bearer ${token}`)
        .send({
          query:
            'mutation($id: ID!, $userName: String) { updateStudent(id: $id, userName: $userName) { userName } }',
          variables: { id: studentId, userName },
        });
    const renamed = await Promise.all([rename(both.url, before), rename(app.url, meanwhile)]);
    expect(renamed.map(({ body }) => (body as { errors?: unknown }).errors !== undefined).sort()).toEqual([
      false,
      true,
    ]);
    const winner = renamed[0].body as { errors?: unknown };
    const names = winner.errors === undefined ? [userName, meanwhile.userName] : [before.userName, userName];
    for (const name of names)
      expect([await canLogIn(app.url, name), await canLogIn(both.url, name)]).toEqual([true, true]);

    const needed = await nimo(HMAC, 'keys', 'status').ended;
    expect(answered(needed)).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/NIMO_HMAC_KEY_PREVIOUS is still needed for \d+ claims/),
    });
    const rotated = answered(await nimo(HMAC, 'keys', 'rotate').ended);
    expect(rotated).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /Claims recreated: \d+;.*\nNIMO_MASTER_KEY: no previous key is set.\nNIMO_HMAC_KEY_PREVIOUS is needed until/s,
      ),
    });
    // Stored responses of idempotent requests have not expired yet.
    await expect(apiWith({ NIMO_HMAC_KEY: HMAC.NIMO_HMAC_KEY })).rejects.toThrow(
      'NIMO_HMAC_KEY_PREVIOUS must be set',
    );
    expect(answered(await nimo(HMAC, 'keys', 'rotate', '--now').ended).stdout).toMatch(
      /NIMO_HMAC_KEY_PREVIOUS is no longer needed: /,
    );

    const after = await apiWith({ NIMO_HMAC_KEY: HMAC.NIMO_HMAC_KEY });
    for (const name of names) expect(await canLogIn(after.url, name)).toBe(true);
    const { rows } = await app.pool.query<{ student_id: string }>('select student_id from read.students');
    expect(rows.length).toBeGreaterThan(10);
    // Phone numbers remain claimed under the new key.
    await expect(signUpAt(after, before.phone)).rejects.toMatchObject({ code: 'USER_EXISTS' });
    await expect(apiWith({ NIMO_HMAC_KEY: FORMER_HMAC })).rejects.toThrow(
      'NIMO_HMAC_KEY is not the key this database was created with.',
    );
  });

  it('keeps existing invitation links, codes, lists and domains valid', async () => {
    const community = await newCommunity(app, 0, { entry: 'INVITATION' });
    const staff = await app.signUp();
    await app.grantRole(staff.studentId, 'MODERATOR', community.spaceId);
    const moderator = new Participant(app, staff, community);
    const make = async (
      details: string,
    ): Promise<{ readonly _id: string; readonly secret: string | null }> => {
      const id = await moderator.perform<string>(
        `createInvitation(space: "${community.spaceId}", details: { ${details} })`,
      );
      const all = await moderator.query<{ _id: string; secret: string | null }[]>(
        INVITATIONS(community.spaceId),
      );
      const found = all.find(({ _id }) => _id === id);
      if (!found) throw new Error('the invitation is not listed');
      return found;
    };
    const listed = await app.signUp();
    const pupil = await app.signUp();
    const domain = `d${randomUUID().slice(0, 8)}.example`;
    await confirmEmail(pupil, `pupil@${domain}`);
    const link = await make('kind: LINK, uses: 5, days: 7');
    const code = await make('kind: CODE, uses: 5, days: 7');
    await make(`kind: LIST, days: 7, contacts: "${listed.phone}"`);
    await make(`kind: DOMAIN, domain: "${domain}"`);

    const both = await apiWith(HMAC);
    expect(answered(await nimo(HMAC, 'keys', 'rotate', '--now').ended).code).toBe(0);
    const at = async (token: string, query: string): Promise<unknown> =>
      (await request(both.url).post('/graphql').set('authorization', `Bearer ${token}`).send({ query })).body;
    const joined = { data: { done: { joined: true } } };
    // Staff see the same secrets as before.
    expect(await at(staff.token, `{ done: ${INVITATIONS(community.spaceId)} }`)).toMatchObject({
      data: { done: expect.arrayContaining([link, code].map((one) => expect.objectContaining(one))) },
    });
    for (const { secret } of [link, code]) {
      const { token } = await app.signUp();
      const use = `mutation { done: joinByInvitation(secret: "${secret}") { joined } }`;
      expect(await at(token, use)).toMatchObject(joined);
    }
    for (const { token } of [listed, pupil])
      expect(
        await at(token, `mutation { done: joinSpace(spaceId: "${community.spaceId}") { joined } }`),
      ).toMatchObject(joined);
  });
});

describe('master key rotation', () => {
  it('resumes after being killed midway', async () => {
    const ada = await app.signUp({ password: PASSWORD });
    // Enough for several batches.
    const ids = Array.from({ length: 3_000 }, () => randomUUID());
    const former = Buffer.alloc(32, 'm');
    await app.pool.query(
      `insert into state.student_key (id, kind, wrapped_key) select id, 'identity', key from unnest($1::text[], $2::bytea[]) as k (id, key)`,
      [ids, ids.map((id) => seal(former, Buffer.alloc(32, id), keyName('identity', id)))],
    );
    const { rows: first } = await app.pool.query<Wrapped>(WRAPPED);
    await killedAtRow(ids.toSorted()[1_500] ?? '');
    const midway = await changedSince(first);
    expect(midway).toBeGreaterThan(0);
    expect(midway).toBeLessThan(first.length);
    // Half of the rows are under each key: startup fails without the previous key or with a wrong one.
    await expect(apiWith({ NIMO_MASTER_KEY: MASTER.NIMO_MASTER_KEY })).rejects.toThrow(
      'NIMO_MASTER_KEY_PREVIOUS must be set',
    );
    await expect(apiWith({ ...MASTER, NIMO_MASTER_KEY_PREVIOUS: KEY('z') })).rejects.toThrow(
      'NIMO_MASTER_KEY_PREVIOUS is not the other key in use by this database.',
    );
    const both = await apiWith(MASTER);
    expect(await canLogIn(both.url, ada.userName)).toBe(true);

    const { stdout } = answered(await nimo(MASTER, 'keys', 'rotate', '--now', '--json').ended);
    expect(JSON.parse(stdout)).toMatchObject({
      keys: { scanned: first.length, rotated: first.length - midway, unreadable: 0 },
      statuses: [
        { key: 'master', isRemovable: true, remaining: { studentKeys: 0, encryptedRows: 0 } },
        { key: 'hmac' },
      ],
    });
    const after = await apiWith({ NIMO_MASTER_KEY: MASTER.NIMO_MASTER_KEY });
    expect(await canLogIn(after.url, ada.userName)).toBe(true);
    await expect(apiWith({})).rejects.toThrow('NIMO_MASTER_KEY is not the key');
  });
});

/** Rotates until the run blocks on a locked row, then kills it there, as a power cut would. */
async function killedAtRow(id: string): Promise<void> {
  const holder = await app.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from state.student_key where id = $1 for update', [id]);
    const killed = nimo(MASTER, 'keys', 'rotate');
    const waiting = `select pid from pg_stat_activity
      where datname = current_database() and application_name like 'nimo cli%' and wait_event_type = 'Lock'`;
    await eventually(
      () => app.pool.query(waiting),
      ({ rowCount }) => rowCount === 1,
    );
    killed.process.kill('SIGKILL');
    await killed.ended;
    // Its statement would continue once the row is unlocked.
    await app.pool.query(`select pg_terminate_backend(pid) from (${waiting}) as of_killed`);
    await eventually(
      () => app.pool.query(waiting),
      ({ rowCount }) => rowCount === 0,
    );
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

interface Wrapped {
  readonly name: string;
  readonly key: string;
}
const WRAPPED = `select kind || ' ' || id as name, md5(wrapped_key) as key from state.student_key where wrapped_key is not null`;

async function changedSince(first: readonly Wrapped[]): Promise<number> {
  const { rows } = await app.pool.query<{ count: number }>(
    `select count(*)::int as count from (${WRAPPED}) as now join unnest($1::text[], $2::text[]) as before (name, key) using (name) where now.key <> before.key`,
    [first.map(({ name }) => name), first.map(({ key }) => key)],
  );
  return rows[0]?.count ?? 0;
}

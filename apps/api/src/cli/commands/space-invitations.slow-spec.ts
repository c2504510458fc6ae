import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { expectCliError, resultOf, startNimo } from '../../../../../test/command-line.js';
import { newSpace } from '../../../../../test/community.js';

const ORIGIN = 'https://nimo.example';

interface Invitation {
  readonly _id: string;
  readonly kind: string;
  readonly state: string;
  readonly secret: string | null;
  readonly address: string | null;
}
interface Listed {
  readonly invitations: readonly Invitation[];
  readonly invitedStudents: readonly string[];
}
type SpaceStatus = { readonly _id: string; readonly joined: boolean; readonly isInvited: boolean };

let app: TestApp;
let spaceId: string;
const spaceName = `Class ${randomUUID()}`;
beforeAll(async () => {
  app = await bootApp();
  spaceId = await newSpace(app, spaceName, { entry: 'INVITATION', publicPages: false });
});
afterAll(() => app.close());

const start = (...args: readonly string[]) =>
  startNimo(
    {
      DATABASE_URL: app.pool.options.connectionString ?? '',
      NIMO_DATA_DIR: app.dataDir,
      PUBLIC_URL: `${ORIGIN}/`,
      OIDC_FIRST_ISSUER: 'https://login.school.example',
      OIDC_FIRST_CLIENT_ID: 'nimo',
      OIDC_FIRST_CLIENT_SECRET: 'secret',
    },
    'space',
    ...args,
  );
const nimo = (...args: readonly string[]) => start(...args).ended;
const invite = async (...flags: readonly string[]): Promise<Invitation> =>
  resultOf(await nimo('invite', spaceName, ...flags, '--json'));
const list = async (): Promise<Listed> => resultOf(await nimo('invitations', spaceName, '--json'));
const listed = async (id: string) => (await list()).invitations.find(({ _id }) => _id === id);
const revoke = (...args: readonly string[]) => nimo('revoke-invitation', spaceName, ...args);

async function joinBy(secret: string | null, { token }: SignedUpStudent): Promise<unknown> {
  const { data, errors } = await app.graphql<{ joinByInvitation: unknown }>(
    'mutation($s: String!) { joinByInvitation(secret: $s) { _id joined } }',
    { s: secret },
    token,
  );
  return errors?.[0]?.message ?? data.joinByInvitation;
}
async function statusOf({ token }: SignedUpStudent): Promise<SpaceStatus | undefined> {
  const { data } = await app.graphql<{ getSpaces: SpaceStatus[] }>(
    '{ getSpaces { _id joined isInvited } }',
    {},
    token,
  );
  return data.getSpaces.find(({ _id }) => _id === spaceId);
}

describe('nimo space invite', () => {
  it('creates a class code that lets a student join, and lists its use', async () => {
    const code = await invite('--code', '--uses', '1', '--days', '2');
    expect(code).toMatchObject({ kind: 'CODE', state: 'ACTIVE', uses: 1, used: 0, createdBy: null });
    expect(code.address).toBe(`${ORIGIN}/join/${code.secret}`);
    const eve = await app.signUp();
    expect(await joinBy(code.secret, eve)).toEqual({ _id: spaceId, joined: true });
    expect(await listed(code._id)).toMatchObject({ state: 'USED_UP', used: 1, secret: null, address: null });
  });

  it('creates a link with 30 uses by default, and prints what to hand out', async () => {
    const { code, stdout, stderr } = await nimo('invite', spaceName, '--link');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^used +0 of 30$/m);
    expect(stdout).not.toMatch(/^code /m);
    const [, secret = ''] = /^address +https:\/\/nimo\.example\/join#([\w-]+)$/m.exec(stdout) ?? [];
    expect(await joinBy(secret, await app.signUp())).toEqual({ _id: spaceId, joined: true });
    const table = await nimo('invitations', spaceName);
    expect(table.stdout).toMatch(/^ID +kind +for +code +used +state +expires +created by +address$/m);
    expect(table.stdout).toContain(`${ORIGIN}/join#${secret}`);
  });

  it('reads a list from a file or standard input', async () => {
    const eve = await app.signUp();
    const file = join(app.dataDir, `${randomUUID()}.txt`);
    await writeFile(file, `\uFEFF${eve.phone}\r\nben@school.example\r\n`);
    expect(await invite('--list', file)).toMatchObject({
      kind: 'LIST',
      uses: 2,
      secret: null,
      address: null,
    });
    expect(await statusOf(eve)).toMatchObject({ isInvited: true });
    const started = start('invite', spaceName, '--list', '-', '--json');
    started.process.stdin?.end('ben@school.example');
    expect(resultOf(await started.ended)).toMatchObject({ kind: 'LIST', uses: 1 });
    await writeFile(file, 'ben@school.example\nBen\n');
    expectCliError(
      await nimo('invite', spaceName, '--list', file),
      2,
      /--list: .*line 2\. Nothing was saved/,
    );
  });

  it('creates invitations for a domain and a group, which do not expire', async () => {
    const unlimited = { uses: null, expiresAt: null, state: 'ACTIVE' };
    expect(await invite('--domain', '@School.example')).toMatchObject({
      ...unlimited,
      kind: 'DOMAIN',
      rule: 'school.example',
    });
    expect(await invite('--group', 'first:class:7b')).toMatchObject({
      ...unlimited,
      kind: 'GROUP',
      rule: 'first:class:7b',
    });
  });

  it('invites a student by name, until it is revoked', async () => {
    const eve = await app.signUp();
    const invited = { _id: eve.studentId, userName: eve.userName, joined: false, isInvited: true };
    expect(await invite('--student', eve.userName)).toEqual(invited);
    expect(await statusOf(eve)).toMatchObject({ isInvited: true });
    expect((await list()).invitedStudents).toContain(eve.userName);
    expect(await nimo('invite', spaceName, '--student', eve.phone)).toEqual({
      code: 0,
      stdout: `${eve.userName} is invited to "${spaceName}".\n`,
      stderr: 'No changes: already up to date.\n',
    });
    expect(resultOf(await revoke('--student', eve.studentId, '--json'))).toEqual({
      ...invited,
      isInvited: false,
    });
    expect((await list()).invitedStudents).not.toContain(eve.userName);
    expect(await revoke('--student', eve.userName)).toEqual({
      code: 0,
      stdout: `${eve.userName} is not invited to "${spaceName}".\n`,
      stderr: 'No changes: already up to date.\n',
    });
  });

  it.each([
    [['--link', '--uses', '0'], 2, /--uses: An invitation can be used 1 to/],
    [['--code', '--days', '366'], 2, /--days: An invitation can be valid for 1 to/],
    [['--domain', 'school'], 2, /--domain: Enter the part after the @/],
    [['--group', 'second:class 7b'], 2, /--group: This provider does not send groups/],
    [['--list', '/nowhere/class.txt'], 2, /--list: \/nowhere\/class\.txt cannot be read/],
    [['--student', 'nobody_here'], 1, /username, phone number or ID "nobody_here"/],
  ] as const)('rejects %j with the name of the flag', async (flags, code, message) =>
    expectCliError(await nimo('invite', spaceName, ...flags), code, message),
  );

  it('refuses an open space and an unknown space', async () => {
    const open = await newSpace(app);
    const eve = await app.signUp();
    for (const way of [['--code'], ['--student', eve.userName]])
      expectCliError(await nimo('invite', open, ...way), 1, /This space is open to everyone/);
    for (const args of [
      ['invite', 'Nowhere', '--link'],
      ['invitations', 'Nowhere'],
    ])
      expectCliError(await nimo(...args), 1, /No space has the name or ID "Nowhere"/);
  });
});

describe('nimo space revoke-invitation', () => {
  it('revokes an invitation once', async () => {
    const { _id, secret } = await invite('--code');
    const revoked = { _id, state: 'REVOKED' };
    expect(resultOf(await revoke(_id.toUpperCase(), '--json'))).toEqual(revoked);
    expect(await joinBy(secret, await app.signUp())).toMatch(/was revoked/);
    expect(await listed(_id)).toMatchObject({ ...revoked, secret: null });
    expect(await revoke(_id)).toEqual({
      code: 0,
      stdout: `The invitation ${_id} is revoked.\n`,
      stderr: 'No changes: already up to date.\n',
    });
  });

  it('refuses an unknown ID and the ID of another space', async () => {
    const { _id } = await invite('--link');
    const other = await newSpace(app, undefined, { entry: 'INVITATION', publicPages: false });
    expectCliError(await nimo('revoke-invitation', other, _id), 1, new RegExp(`has the ID "${_id}"`));
    expect(await listed(_id)).toMatchObject({ state: 'ACTIVE' });
    for (const id of [randomUUID(), 'KDTW7X'])
      expectCliError(await revoke(id), 1, new RegExp(`No invitation to "${spaceName}" has the ID "${id}"`));
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { eventually } from '@nimo/testing';
import { setUpTotp } from '../../../../../test/second-factor.js';
import { type CliResult, expectCliError, resultOf, runNimo } from '../../../../../test/command-line.js';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import { EVENT_STORE } from '../../platform/config/tokens.js';

let app: TestApp;
let ada: SignedUpStudent;
const space = `Space ${randomUUID()}`;
beforeAll(async () => {
  app = await bootApp();
  ada = await app.signUp();
});
afterAll(() => app.close());

const nimo = (...args: readonly string[]): Promise<CliResult> => runNimo(app, ...args);
const read = (ended: CliResult): { readonly _id: string } => resultOf(ended);

/** Last event of that type, decrypted: staff's text is sealed in the log. */
async function lastEventOf({ studentId }: SignedUpStudent, type: string): Promise<RecordedEvent | undefined> {
  const store = app.api.get<EventStore>(EVENT_STORE, { strict: false });
  const events = await store.readStream(`student-${studentId}`);
  return events.findLast((event) => event.type === type);
}

describe('nimo', () => {
  it('creates and changes spaces, subjects and topics, and prints one JSON document each', async () => {
    const made = read(await nimo('space', 'add', space, '--color', '#0F766E', '--json'));
    read(await nimo('subject', 'add', space, 'Algebra', '--color', '2563eb', '--json'));
    read(await nimo('topic', 'add', made._id, 'algebra', 'Gruops', '--json'));
    const topic = read(
      await nimo('topic', 'change', space, 'Algebra', 'gruops', '--name', 'Groups', '--json'),
    );
    expect(topic).toMatchObject({ topicName: 'Groups', topicType: 'PRIMARY', questionCount: 0 });
    expect(
      read(await nimo('subject', 'change', space, 'Algebra', '--color', 'ffffff', '--json')),
    ).toMatchObject({ subjectName: 'Algebra', color: 'ffffff', topicCount: 1 });
    expect(
      read(await nimo('space', 'change', space, '--hidden', '--description', 'Sets', '--json')),
    ).toMatchObject({
      color: '0f766e',
      description: 'Sets',
      hiddenFromSearchEngines: true,
    });
    expect(made).toMatchObject({ entry: 'OPEN', publicPages: false });
    const change = (...flags: string[]) => nimo('space', 'change', space, ...flags, '--json');
    expect(read(await change('--public-pages'))).toMatchObject({ entry: 'OPEN', publicPages: true });
    expect(read(await change('--entry', 'request'))).toMatchObject({
      entry: 'REQUEST',
      publicPages: false,
    });
    const refused = await change('--public-pages');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('Only an open space can have public pages'),
    ]);
    expect(read(await change('--entry', 'invitation'))).toMatchObject({ entry: 'INVITATION' });
    expect(
      read(await nimo('space', 'add', `${space} by invitation`, '--entry', 'invitation', '--json')),
    ).toMatchObject({ entry: 'INVITATION', publicPages: false });
    const { rows } = await app.pool.query(
      `select distinct (metadata -> 'actor')::jsonb as actor from log.events where stream_id = $1`,
      [`space-${made._id}`],
    );
    expect(rows).toEqual([{ actor: { kind: 'operator', operator: userInfo().username } }]);
  });

  it('archives a space after confirmation, and opens it again', async () => {
    const name = `Alumni ${randomUUID().slice(0, 8)}`;
    read(await nimo('space', 'add', name, '--json'));
    expect(await nimo('space', 'archive', name)).toMatchObject({ code: 4, stdout: '' });
    expect(read(await nimo('space', 'archive', name, '--yes', '--json'))).toMatchObject({ isArchived: true });
    expectCliError(
      await nimo('space', 'change', name, '--description', 'x'),
      1,
      /^nimo: This space is archived\. You can read it, but nobody can write in it\.$/m,
    );
    expectCliError(
      await nimo('space', 'add', name.toUpperCase()),
      1,
      /^nimo: Another space already has this name\. Choose another\.$/m,
    );
    expect(read(await nimo('space', 'unarchive', name, '--json'))).toMatchObject({
      isArchived: false,
      entry: 'OPEN',
    });
  });

  it('deletes an archived space whose name is repeated', async () => {
    const name = `Alumni ${randomUUID().slice(0, 8)}`;
    const { _id } = read(await nimo('space', 'add', name, '--json'));
    const remove = (confirmed: string) => nimo('space', 'delete', name, '--confirm', confirmed, '--json');
    expectCliError(await nimo('space', 'delete', name), 2, /required option '--confirm <name>'/);
    expectCliError(
      await remove(name),
      1,
      /^nimo: Only an archived space can be deleted\. Archive it first\.$/m,
    );
    read(await nimo('space', 'archive', name, '--yes', '--json'));
    expectCliError(
      await remove('Alumni'),
      1,
      /^nimo: This is not the name of the space\. Enter its name to confirm\.$/m,
    );
    expect(read(await remove(name))).toEqual({ _id, name });
    expectCliError(await remove(name), 1, /^nimo: No space has the name or ID/m);
    const { rows } = await app.pool.query(
      `select (metadata -> 'actor')::jsonb as actor from log.events where stream_id = $1 and type = 'SpaceRemoved'`,
      [`space-${_id}`],
    );
    expect(rows).toEqual([{ actor: { kind: 'operator', operator: userInfo().username } }]);
    expect(read(await nimo('space', 'add', name, '--json'))).toMatchObject({ name });
    expectCliError(await nimo('import', 'remove', _id, '--yes'), 1, /^nimo: /m);
  });

  it('grants a role with immediate effect, and revokes it only with confirmation', async () => {
    const rolesNow = async () =>
      (
        await app.graphql<{ getStudent: { roles: unknown[] } }>(
          '{ getStudent { roles { role } } }',
          {},
          ada.token,
        )
      ).data.getStudent.roles;
    expect(read(await nimo('grant', 'maintainer', ada.userName.toUpperCase(), '--json'))).toMatchObject({
      _id: ada.studentId,
      roles: [{ role: 'MAINTAINER', space: null }],
    });
    const { errors } = await app.graphql('{ getRoleHolders { _id } }', {}, ada.token);
    expect(errors).toBeUndefined();
    const again = await nimo('grant', 'maintainer', ada.userName);
    expect(again).toMatchObject({
      code: 0,
      stderr: `${ada.userName} already has the role maintainer. Nothing changed.\n`,
    });
    expect(again.stdout).toContain('maintainer of all spaces');
    const unconfirmed = await nimo('revoke', 'maintainer', ada.phone);
    expect(unconfirmed).toMatchObject({ code: 4, stdout: '' });
    expect(unconfirmed.stderr).toContain('Confirm with --yes');
    expect(await rolesNow()).toHaveLength(1);
    const revoke = (...flags: readonly string[]) =>
      nimo('revoke', 'maintainer', ada.studentId, '--yes', ...flags);
    const revoked = await revoke();
    expect(revoked).toMatchObject({ code: 0, stderr: `Revoked the role maintainer from ${ada.userName}.\n` });
    const unchanged = await revoke('--json');
    expect(unchanged).toMatchObject({
      code: 0,
      stderr: `${ada.userName} does not have the role maintainer. Nothing changed.\n`,
    });
    expect(JSON.parse(unchanged.stdout)).toMatchObject({ roles: [] });
    // Another process revoked the role, so this one learns of it by notification.
    await eventually(
      () => app.graphql('{ getRoleHolders { _id } }', {}, ada.token),
      (answer) => answer.errors?.length === 1,
    );
  });

  it('blocks and unblocks a student', async () => {
    const ben = await app.signUp();
    expect(read(await nimo('student', 'block', ben.userName, '--reason', 'Spam', '--json'))).toMatchObject({
      isBlocked: true,
    });
    expect((await app.graphql('{ getStudent { _id } }', {}, ben.token)).errors?.[0]?.extensions.code).toBe(
      'UNAUTHENTICATED',
    );
    const unblock = ['student', 'unblock', ben.phone, '--reason', 'Wrong account', '--json'];
    expect(read(await nimo(...unblock))).toMatchObject({ isBlocked: false });
    expect(await lastEventOf(ben, 'StudentUnblocked')).toMatchObject({ data: { reason: 'Wrong account' } });
  });

  it('schedules and cancels the erasure of a student, with a reason, except of the last maintainer', async () => {
    const ben = await app.signUp();
    const erase = ['student', 'erase', ben.userName, '--reason', 'Asked by letter'];
    expectCliError(await nimo('student', 'erase', ben.userName, '--reason', ' '), 1, /reason/);
    expect(read(await nimo(...erase, '--json'))).toMatchObject({ _id: ben.studentId });
    expect(await lastEventOf(ben, 'ErasureAsked')).toMatchObject({
      data: { reason: 'Asked by letter', withWords: false },
    });
    expectCliError(await nimo(...erase), 1, /already scheduled for deletion/);
    expect(read(await nimo('student', 'cancel-erasure', ben.userName, '--json'))).toMatchObject({
      _id: ben.studentId,
    });
    expectCliError(await nimo('student', 'cancel-erasure', ben.userName), 1, /not scheduled for deletion/);
    await app.grantRole(ben.studentId, 'MAINTAINER');
    for (const flags of [[], ['--now']])
      expectCliError(await nimo(...erase, ...flags), 1, /This is the last maintainer/);
  });

  it('resets a second factor, with a reason', async () => {
    const ben = await app.signUp();
    const reset = ['student', 'reset-second-factor', ben.userName, '--reason', 'Lost phone'];
    expectCliError(await nimo(...reset, '--operator', 'a\u202eb'), 1, /NIMO_OPERATOR must be a name/);
    expectCliError(await nimo(...reset), 1, /No second factor is set up/);
    await setUpTotp(app, ben);
    expect(read(await nimo('--operator', 'Ada Lovelace', ...reset, '--json'))).toMatchObject({
      _id: ben.studentId,
    });
    expect(await lastEventOf(ben, 'SecondFactorReset')).toMatchObject({
      data: { reason: 'Lost phone' },
      metadata: { actor: { operator: 'Ada Lovelace' } },
    });
    await eventually(
      () => app.graphql('{ getStudent { _id } }', {}, ben.token),
      (answer) => answer.errors?.length === 1,
    );
  });

  it('records whose data it showed, and to which operator', async () => {
    const ben = await app.signUp();
    const shown = await nimo('student', 'show', ben.phone, '--operator', 'Ada Lovelace', '--json');
    expect(read(shown)).toMatchObject({ _id: ben.studentId });
    const { rows } = await app.pool.query<{ data: object; actor: object }>(
      `select data, metadata -> 'actor' as actor from log.events
         where type = 'ConfidentialDataRead' and data -> 'studentIds' ->> 0 = $1`,
      [ben.studentId],
    );
    expect(rows).toEqual([
      {
        data: expect.objectContaining({ what: 'PEOPLE', studentIds: [ben.studentId], rows: 1 }) as unknown,
        actor: { kind: 'operator', operator: 'Ada Lovelace' },
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain(ben.phone);
  });

  it.each([
    [['grant', 'moderator', 'nobody_here'], 1, /username, phone number or ID "nobody_here"/],
    [['space', 'add', ' '], 1, /Please add a space name/],
    [['grant', 'captain', 'nobody_here'], 2, /Allowed choices are moderator, maintainer/],
  ] as const)('explains in one line what is wrong with %j, and exits with %i', async (args, code, message) =>
    expectCliError(await nimo(...args), code, message),
  );
});

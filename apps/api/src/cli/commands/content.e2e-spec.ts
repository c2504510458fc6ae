import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { type Ended, runNimo } from '../../../../../test/command-line.js';

const PATIENCE_MS = 60_000;

let app: TestApp;
let ada: SignedUpStudent;
const space = `Space ${randomUUID()}`;
beforeAll(async () => {
  app = await bootApp();
  ada = await app.signUp();
}, PATIENCE_MS);
afterAll(() => app.close());

const nimo = (...args: readonly string[]): Promise<Ended> => runNimo(app, ...args);

const read = ({ code, stdout, stderr }: Ended): { readonly _id: string } => {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as { readonly _id: string };
};

describe('the command line', () => {
  it(
    'makes and changes spaces, subjects and topics, and prints one JSON document each',
    async () => {
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
      const listed = await nimo('space', 'list');
      expect(listed.stdout).toContain(space);
      const { rows } = await app.pool.query(
        `select distinct metadata->'actor'->>'kind' as kind from log.events where stream_id = $1`,
        [`space-${made._id}`],
      );
      expect(rows).toEqual([{ kind: 'operator' }]);
    },
    PATIENCE_MS,
  );

  it(
    'grants a role that holds at once, and takes it back only after a yes',
    async () => {
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
      const unasked = await nimo('revoke', 'maintainer', ada.phone);
      expect(unasked).toMatchObject({ code: 4, stdout: '' });
      expect(unasked.stderr).toContain('say --yes');
      expect(await rolesNow()).toHaveLength(1);
      expect(read(await nimo('revoke', 'maintainer', ada.studentId, '--yes', '--json'))).toMatchObject({
        roles: [],
      });
      expect((await app.graphql('{ getRoleHolders { _id } }', {}, ada.token)).errors).toHaveLength(1);
    },
    PATIENCE_MS,
  );

  it(
    'blocks and unblocks a student',
    async () => {
      const ben = await app.signUp();
      expect(read(await nimo('student', 'block', ben.userName, '--reason', 'Spam', '--json'))).toMatchObject({
        isBlocked: true,
      });
      expect((await app.graphql('{ getStudent { _id } }', {}, ben.token)).errors?.[0]?.extensions.code).toBe(
        'UNAUTHENTICATED',
      );
      expect(read(await nimo('student', 'unblock', ben.phone, '--json'))).toMatchObject({ isBlocked: false });
      expect((await nimo('student', 'show', ben.userName)).stdout).toMatch(/status +active/);
    },
    PATIENCE_MS,
  );

  it.each([
    [['grant', 'moderator', 'nobody_here'], 1, /user name, phone number or id "nobody_here"/],
    [['grant', 'captain', 'nobody_here'], 2, /Allowed choices are moderator, maintainer/],
    [['grant', 'maintainer', 'nobody_here', '--space', 'x'], 2, /--space is for moderators/],
    [['space', 'change', 'No such space', '--name', 'x'], 1, /No space has the name or id "No such space"/],
    [['space', 'add', 'Red', '--color', 'red'], 2, /six hexadecimal digits/],
    [['space', 'add', ' '], 1, /Please add a space name/],
    [['student', 'block', 'nobody_here'], 2, /--reason/],
  ] as const)(
    'says in a line what is wrong with %j, and ends with %i',
    async (args, code, message) => {
      const ended = await nimo(...args);
      expect(ended).toMatchObject({ code, stdout: '' });
      expect(ended.stderr).toMatch(message);
      expect(ended.stderr).not.toMatch(/\bat .+:\d+/);
    },
    PATIENCE_MS,
  );

  it.each([['grant'], ['revoke'], ['space add'], ['subject change'], ['topic change'], ['student block']])(
    'teaches %s',
    async (command) => {
      const { code, stdout } = await nimo(...command.split(' '), '--help');
      expect(code).toBe(0);
      expect(stdout).toContain(`npm run nimo -- ${command}`);
      expect(stdout).toContain('Exit codes:');
    },
    PATIENCE_MS,
  );
});

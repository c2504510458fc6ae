import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { CommanderError } from 'commander';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { nimoProgram } from '../program.js';

const ROOT = join(import.meta.dirname, '../../../../..');
const KEY = (letter: string): string => Buffer.alloc(32, letter).toString('base64');
const PATIENCE_MS = 60_000;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let app: TestApp;
let ada: SignedUpStudent;
const space = `Space ${randomUUID()}`;
beforeAll(async () => {
  app = await bootApp();
  ada = await app.signUp();
}, PATIENCE_MS);
afterAll(() => app.close());

/** The real command line beside a running Nimo, without a terminal. */
async function nimo(...args: readonly string[]): Promise<Ended> {
  const child = spawn(
    process.execPath,
    ['--import', './scripts/typescript.mjs', 'apps/api/src/cli.ts', ...args],
    {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        DATABASE_URL: app.pool.options.connectionString,
        NIMO_DATA_DIR: app.dataDir,
        NIMO_MASTER_KEY: KEY('m'),
        NIMO_HMAC_KEY: KEY('h'),
        NIMO_SIGNING_KEY: KEY('s'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: await stdout, stderr: await stderr };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}

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
    },
    PATIENCE_MS,
  );

  it.each([
    [['grant', 'moderator', 'nobody_here'], 1, /user name, phone number or id "nobody_here"/],
    [['space', 'add', ' '], 1, /Please add a space name/],
    [['grant', 'captain', 'nobody_here'], 2, /Allowed choices are moderator, maintainer/],
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
});

/** What the command line writes where nothing has to be done for it: in this process, as starting one takes seconds. */
async function written(args: readonly string[]): Promise<string> {
  let text = '';
  const add = (part: string): void => void (text += part);
  const parsing = nimoProgram({ writeOut: add, writeErr: add }).parseAsync(args, { from: 'user' });
  await expect(parsing).rejects.toThrow(CommanderError);
  return text;
}

describe('the usage of the command line', () => {
  it.each([
    [['grant', 'maintainer', 'nobody_here', '--space', 'x'], /--space is for moderators/],
    [['space', 'add', 'Red', '--color', 'red'], /six hexadecimal digits/],
    [['student', 'block', 'nobody_here'], /--reason/],
  ] as const)('is told after %j', async (args, message) => {
    expect(await written(args)).toMatch(message);
  });

  it.each([['grant'], ['revoke'], ['space add'], ['subject change'], ['topic change'], ['student block']])(
    'is taught for %s',
    async (command) => {
      const help = await written([...command.split(' '), '--help']);
      expect(help).toContain(`npm run nimo -- ${command}`);
      expect(help).toContain('Exit codes:');
    },
  );

  it('begins with all commands in groups', async () => {
    const help = await written(['--help']);
    const groups = ['To begin with:', 'Spaces and people:', 'The machinery:'];
    expect(groups.filter((group) => help.includes(group))).toEqual(groups);
    for (const command of nimoProgram().commands)
      expect(help).toMatch(new RegExp(`^ {2}${command.name()}\\b`, 'm'));
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projections } from '@nimo/projections';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { type Ended, runNimo } from '../../../../../test/command-line.js';

const PATIENCE_MS = 60_000;

interface Status {
  readonly name: string;
  readonly state: string;
  readonly live: { readonly generation: number };
  readonly rebuild: object | null;
}

let app: TestApp;
beforeAll(async () => {
  app = await bootApp();
  await app.signUp();
}, PATIENCE_MS);
afterAll(() => app.close());

const nimo = (...args: readonly string[]): Promise<Ended> => runNimo(app, 'projections', ...args);

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller says what the JSON holds
function read<Result>({ code, stdout, stderr }: Ended): Result {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Result;
}

const liveGenerationOf = async (name: string): Promise<number | undefined> =>
  read<Status[]>(await nimo('status', name, '--json'))[0]?.live.generation;

describe('the command line of the projections', () => {
  it(
    'lists every projection as one JSON document',
    async () => {
      const listed = read<{ name: string }[]>(await nimo('list', '--json'));
      expect(listed.map(({ name }) => name)).toEqual(projections.map(({ name }) => name));
      expect((await nimo('list')).stdout).toContain('leaderboard');
    },
    PATIENCE_MS,
  );

  it(
    'rebuilds beside what serves and waits until it is switched, switches back, and verifies',
    async () => {
      const before = (await liveGenerationOf('questions')) ?? 0;
      expect(read(await nimo('rebuild', 'questions', '--wait', '--json'))).toEqual([
        { name: 'questions', outcome: 'switched' },
      ]);
      expect(await liveGenerationOf('questions')).toBe(before + 1);
      read(await nimo('switch', 'questions', '--wait', '--json'));
      expect(await liveGenerationOf('questions')).toBe(before);

      const verified = read<{ result: { outcome: string } }[]>(
        await nimo('verify', 'questions', 'students', '--json'),
      );
      expect(verified.map(({ result }) => result.outcome)).toEqual(['EQUAL', 'EQUAL']);
      const { rows } = await app.pool.query(
        `select distinct metadata->'actor'->>'kind' as kind from log.events
         where stream_id = 'projection-questions' and type <> 'ProjectionVerificationFinished'`,
      );
      expect(rows).toContainEqual({ kind: 'operator' });
    },
    PATIENCE_MS,
  );

  it(
    'ends with 3 and names both hashes where a row is not as the log says',
    async () => {
      const { rows } = await app.pool.query<{ changed: string }>(
        `update read.students set first_name = 'Forged' returning first_name as changed`,
      );
      expect(rows.length).toBeGreaterThan(0);
      const { code, stdout } = await nimo('verify', 'students');
      expect(code).toBe(3);
      expect(stdout).toMatch(/^students: DIFFERENT as of event [\d,]+, live \w+, rebuilt \w+/);
    },
    PATIENCE_MS,
  );

  it.each([
    [['rebuild', 'nonsense'], 1, /nonsense/],
    [['status', 'nonsense'], 1, /nonsense/],
    [['rebuild'], 2, /missing required argument 'name'/],
    [['switch', 'questions', 'two'], 2, /A generation is a number from 1/],
    [['skip', 'questions'], 2, /--reason/],
    [['cancel', 'spaces'], 1, /./],
    [['retry', 'spaces'], 1, /./],
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

  it.each([['rebuild'], ['cancel'], ['switch'], ['verify'], ['retry'], ['skip'], ['status']])(
    'teaches %s',
    async (command) => {
      const { code, stdout } = await nimo(command, '--help');
      expect(code).toBe(0);
      expect(stdout).toContain(`npm run nimo -- projections ${command}`);
      expect(stdout).toContain('Exit codes:');
    },
    PATIENCE_MS,
  );
});

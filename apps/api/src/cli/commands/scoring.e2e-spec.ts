import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { type Ended, runNimo } from '../../../../../test/command-line.js';

const PATIENCE_MS = 60_000;

interface Rules {
  readonly version: number;
  readonly weights: Readonly<Record<string, { readonly merit: number; readonly impact: number }>>;
}

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await bootApp();
  folder = await mkdtemp(join(tmpdir(), 'nimo-rules-'));
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const nimo = (...args: readonly string[]): Promise<Ended> => runNimo(app, 'scoring', ...args);

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller says what the JSON holds
function read<Result>({ code, stdout, stderr }: Ended): Result {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Result;
}

async function fileOf(content: unknown): Promise<string> {
  const path = join(folder, 'rules.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('the command line of the scoring rules', () => {
  it(
    'shows rules as the file that it tries and publishes, and refuses the file once it is out of date',
    async () => {
      const shown = read<Rules>(await nimo('show', '--json'));
      const weights = { ...shown.weights, QUESTION_POSTED: { merit: 0, impact: 25 } };
      const file = await fileOf({ ...shown, weights });
      expect(read(await nimo('try', file, '--json'))).toMatchObject({ effectiveFrom: null, movers: 0 });
      expect((await nimo('show')).stdout).toContain(`ersion ${shown.version}`);

      const unasked = await nimo('publish', file, '--note', 'Asking counts more');
      expect(unasked).toMatchObject({ code: 4, stdout: '' });
      expect(read<Rules>(await nimo('show', '--json')).version).toBe(shown.version);

      const published = await nimo('publish', file, '--note', 'Asking counts more', '--yes', '--json');
      expect(read(published)).toEqual({
        version: shown.version + 1,
        effectiveFrom: null,
        note: 'Asking counts more',
        isApplied: true,
      });
      expect(read<Rules>(await nimo('show', '--json')).weights).toEqual(weights);
      expect(read<Rules>(await nimo('show', '--version', String(shown.version), '--json')).weights).toEqual(
        shown.weights,
      );
      const again = await nimo('publish', file, '--note', 'Once more', '--yes');
      expect(again).toMatchObject({ code: 1, stdout: '' });
    },
    PATIENCE_MS,
  );

  it(
    'says in a line what is wrong with a file',
    async () => {
      const shown = read<Rules>(await nimo('show', '--json'));
      const broken = [
        ['{', /is not one JSON object/],
        [{ ...shown, weights: [] }, /"weights"/],
        [{ ...shown, version: 'one' }, /version/],
      ] as const;
      for (const [content, message] of broken) {
        const ended = await nimo('try', await fileOf(content));
        expect(ended).toMatchObject({ code: 2, stdout: '' });
        expect(ended.stderr).toMatch(message);
        expect(ended.stderr).not.toMatch(/\bat .+:\d+/);
      }
    },
    PATIENCE_MS,
  );

  it.each([
    [['show', '--version', '99'], 1, /version/],
    [['try', '/nowhere/rules.json'], 2, /\/nowhere\/rules\.json/],
    [['try'], 2, /missing required argument 'file'/],
    [['publish', '/nowhere/rules.json'], 2, /--note/],
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

  it.each([['show'], ['try'], ['publish']])(
    'teaches %s',
    async (command) => {
      const { code, stdout } = await nimo(command, '--help');
      expect(code).toBe(0);
      expect(stdout).toContain(`npm run nimo -- scoring ${command}`);
      expect(stdout).toContain('Exit codes:');
    },
    PATIENCE_MS,
  );
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { type CliResult, expectCliError, resultOf, runNimo } from '../../../../../test/command-line.js';

interface Rules {
  readonly version: number;
  readonly weights: Readonly<Record<string, { readonly merit: number; readonly impact: number }>>;
}

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await bootApp();
  folder = await mkdtemp(join(tmpdir(), 'nimo-rules-'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const DAY = 86_400_000;
const ahead = (days: number): string => new Date(Date.now() + days * DAY).toISOString();
const nimo = (...args: readonly string[]): Promise<CliResult> => runNimo(app, 'scoring', ...args);

async function fileOf(content: unknown): Promise<string> {
  const path = join(folder, 'rules.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('nimo scoring', () => {
  it('tries and publishes the rules it shows, and rejects the file once it is out of date', async () => {
    const shown = resultOf<Rules>(await nimo('show', '--json'));
    const weights = { ...shown.weights, QUESTION_POSTED: { merit: 0, impact: 25 } };
    const file = await fileOf({ ...shown, weights });
    expect(resultOf(await nimo('try', file, '--json'))).toMatchObject({ effectiveFrom: null, movers: 0 });
    expect((await nimo('show')).stdout).toContain(`ersion ${shown.version}`);

    const unconfirmed = await nimo('publish', file, '--note', 'Asking counts more');
    expect(unconfirmed).toMatchObject({ code: 4, stdout: '' });
    expect(resultOf<Rules>(await nimo('show', '--json')).version).toBe(shown.version);

    const published = await nimo('publish', file, '--note', 'Asking counts more', '--yes', '--json');
    expect(resultOf(published)).toEqual({
      version: shown.version + 1,
      effectiveFrom: null,
      note: 'Asking counts more',
      isApplied: true,
    });
    expect(resultOf<Rules>(await nimo('show', '--json')).weights).toEqual(weights);
    expect(resultOf<Rules>(await nimo('show', '--version', String(shown.version), '--json')).weights).toEqual(
      shown.weights,
    );
    const again = await nimo('publish', file, '--note', 'Once more', '--yes');
    expectCliError(again, 2, /version must be \d+, the latest version/);
  });

  it('uses effectiveFrom of the file, unless --from overrides it', async () => {
    const shown = resultOf<Rules>(await nimo('show', '--json'));
    const [own, from] = [ahead(2), ahead(3)];
    const file = await fileOf({ ...shown, effectiveFrom: own });
    expect(resultOf(await nimo('try', file, '--json'))).toMatchObject({ effectiveFrom: own });
    const tried = await nimo('try', file, '--from', from, '--json');
    expect(tried.stderr).toContain(`--from ${from} is used instead of "effectiveFrom": "${own}"`);
    expect(JSON.parse(tried.stdout)).toMatchObject({ effectiveFrom: from });

    const published = resultOf<Rules>(await nimo('publish', file, '--note', 'Soon', '--yes', '--json'));
    expect(published).toMatchObject({ version: shown.version + 1, effectiveFrom: own });
    const { version } = published;
    expect((await nimo('show')).stdout).toContain(`Version ${version} (scheduled)`);

    expectCliError(await nimo('withdraw', String(version), '--reason', 'No'), 4, /./);
    const withdrawal = await nimo('withdraw', String(version), '--reason', 'Too much', '--yes', '--json');
    expect(resultOf(withdrawal)).toEqual({ version, reason: 'Too much', isApplied: true });
    expect((await nimo('show', '--version', String(version))).stdout).toMatch(/Withdrawn .+: Too much/);
    expectCliError(
      await nimo('withdraw', String(version), '--reason', 'Again', '--yes'),
      1,
      /is not scheduled: it has taken effect or was withdrawn/,
    );
    expect(resultOf<Rules>(await nimo('show', '--json'))).toEqual(shown);
    const next = await fileOf(shown);
    expect(
      resultOf<Rules>(await nimo('publish', next, '--note', 'After all', '--yes', '--json')).version,
    ).toBe(version + 1);
  });

  it.each(['try', 'publish'])('reports every problem of a file at once (%s)', async (command) => {
    const shown = resultOf<Rules>(await nimo('show', '--json'));
    const { COMMENT_POSTED: _left, ...weights } = shown.weights;
    const file = await fileOf({
      ...shown,
      version: 99,
      effectiveFrom: '2026-02-30T00:00:00Z',
      reportTreshold: 4,
      weights: { ...weights, QUESTION_DOWNVOTED: { merit: 50, impact: 0 } },
    });
    const refused = await nimo(command, file, ...(command === 'publish' ? ['--note', 'No', '--yes'] : []));
    for (const field of [
      'version must be',
      'effectiveFrom must be null or a date',
      'reportTreshold is unknown',
      'weights.COMMENT_POSTED is missing',
      'weights.QUESTION_DOWNVOTED.merit must be .+ it can only cost points; it is 50',
    ])
      expectCliError(refused, 2, new RegExp(`^  ${field}`, 'm'));
  });

  it('reads a file with a byte-order mark', async () => {
    const shown = resultOf<Rules>(await nimo('show', '--json'));
    const file = await fileOf(`\ufeff${JSON.stringify(shown)}`);
    expect(resultOf(await nimo('try', file, '--json'))).toMatchObject({ movers: 0 });
  });

  it('explains what is wrong with a file', async () => {
    const shown = resultOf<Rules>(await nimo('show', '--json'));
    const broken = [
      ['{', /is not a JSON object/],
      [{ ...shown, weights: [] }, /weights must be an object/],
      [{ ...shown, version: 'one' }, /version/],
      [{ ...shown, effectiveFrom: ahead(400) }, /effectiveFrom must not be more than 366 days ahead/],
    ] as const;
    for (const [content, message] of broken) {
      expectCliError(await nimo('try', await fileOf(content)), 2, message);
    }
  });

  it.each([
    [['show', '--version', '99'], 1, /^nimo: Scoring version not found\.$/m],
    [['try', '/nowhere/rules.json'], 2, /\/nowhere\/rules\.json/],
    [['try'], 2, /missing required argument 'file'/],
  ] as const)('explains in one line what is wrong with %j, and exits with %i', async (args, code, message) =>
    expectCliError(await nimo(...args), code, message),
  );
});

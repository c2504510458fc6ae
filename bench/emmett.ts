import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { BenchContext } from './bench-context.js';

const FOLDER = join(import.meta.dirname, 'emmett');
const MISSING =
  'EMMETT IS MISSING: its package (bench/emmett) could not be installed, so this run has no comparison with Emmett.';

let installed: boolean | undefined;

/** Installs Emmett on the first call. The product does not depend on it. */
export function isEmmettInstalled({ log, note }: BenchContext): boolean {
  if (installed !== undefined) return installed;
  installed = existsSync(join(FOLDER, 'node_modules/@event-driven-io/emmett-postgresql'));
  if (installed) return true;
  log('installing Emmett into bench/emmett');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  installed = status === 0;
  if (!installed) {
    process.stderr.write(`\n${MISSING}\n\n`);
    note(MISSING);
  }
  return installed;
}

export async function emmettAppends(url: string, clients: number, seconds: number): Promise<number> {
  const { perSecond } = appendsAnswer.parse(await run('appends.mjs', url, clients, seconds));
  return perSecond;
}

const appendsAnswer = z.object({ perSecond: z.number() });
const rebuildAnswer = z.object({ appended: z.number(), applied: z.number(), seconds: z.number() });

/** Appends events through 32 concurrent clients, then rebuilds one projection. */
export async function emmettRebuild(url: string, events: number): Promise<z.infer<typeof rebuildAnswer>> {
  return rebuildAnswer.parse(await run('rebuild.mjs', url, events));
}

async function run(script: string, ...parameters: (string | number)[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(FOLDER, script), ...parameters.map(String)],
    {
      maxBuffer: 2 ** 26,
    },
  );
  // Emmett may print other lines first.
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { NIMO } from '../../../../../test/command-line.js';
import { faultsSeed, SeededRandom } from '@nimo/testing';
import { writeDump } from './testing/dump.fixture.js';
import { environmentOf, importInto, Installations, readSide } from './testing/import-session.fixture.js';
import { randomCommunity } from './testing/random-dump.fixture.js';

const ROOT = join(import.meta.dirname, '../../../../..');
const KILLS = 4;
const seed = faultsSeed();
const chance = new SeededRandom(seed);
const installations = new Installations();

afterAll(() => installations.drop());

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the command line from source and sends it `signal` at a random time during the import. */
async function runImport(databaseUrl: string, folder: string, signal?: NodeJS.Signals): Promise<Ended> {
  const child = spawn(process.execPath, [...NIMO, 'import', 'stackexchange', folder, '--space', 'Imported'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...environmentOf(databaseUrl) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let isImporting: () => void = () => undefined;
  const importing = new Promise<void>((resolve) => (isImporting = resolve));
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('Importing')) isImporting();
    });
  const ended = once(child, 'close') as Promise<[number | null]>;
  if (signal) {
    await Promise.race([importing, ended]);
    await delay(chance.next() * 800);
    child.kill(signal);
  }
  const [code] = await ended;
  return { code, output };
}

describe(`an import (NIMO_FAULTS_SEED=${seed})`, () => {
  it('completes exactly once after repeated kills', async () => {
    const folder = await writeDump(randomCommunity(160));
    try {
      const [killed, whole] = [await installations.create(), await installations.create()];
      const reference = importInto(whole, folder);
      for (let kill = 0; kill < KILLS; kill++) await runImport(killed.url, folder, 'SIGKILL');
      const interrupted = await runImport(killed.url, folder, 'SIGINT');
      const finished = await runImport(killed.url, folder);
      // The interruption may come too late.
      expect(finished.output).toMatch(/Imported into "Imported"|No changes: "Imported"/);
      expect({ interrupted: [0, 130].includes(interrupted.code ?? -1), finished: finished.code }).toEqual({
        interrupted: true,
        finished: 0,
      });
      expect((await reference).isComplete).toBe(true);
      expect(await readSide(killed.pool())).toEqual(await readSide(whole.pool()));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

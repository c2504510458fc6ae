import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@nimo/testing';

const ROOT = join(import.meta.dirname, '../..');

/** A process of its own that does this, tells what it has started and then waits. */
async function started(source: string): Promise<{ readonly told: string; kill(): Promise<void> }> {
  const child = spawn(
    process.execPath,
    [
      '--import',
      './scripts/typescript.mjs',
      '--input-type=module',
      '-e',
      `${source}\nsetInterval(() => undefined, 1000);`,
    ],
    {
      cwd: ROOT,
      env: { ...process.env, NIMO_TEST_ADMIN_URL: undefined },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [told] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const ended = once(child, 'exit');
  return {
    told: told.trim(),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

describe('a test process that is killed', () => {
  it('takes along the processes that it started, a frozen one too', async () => {
    const process = await started(`
      import { spawn } from 'node:child_process';
      import { guard } from './test/servers/guardian.ts';
      const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
      guard({ pid: child.pid });
      child.kill('SIGSTOP');
      console.log(child.pid);`);
    const pid = Number(process.told);
    expect(isRunning(pid)).toBe(true);
    await process.kill();
    await eventually(
      () => !isRunning(pid),
      Boolean,
      () => 'the end of what it started',
    );
  });

  it('takes along its PostgreSQL and the data', async () => {
    const process = await started(`
      import { startTestServer } from './test/servers/test-server.ts';
      const { dataFolder } = await startTestServer();
      console.log(dataFolder);`);
    const lock = join(process.told, 'postgres/server/cluster/postmaster.pid');
    const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10);
    expect(isRunning(pid)).toBe(true);
    await process.kill();
    await eventually(
      () => !isRunning(pid) && !existsSync(process.told),
      Boolean,
      () => 'the end of the server',
    );
  });
});

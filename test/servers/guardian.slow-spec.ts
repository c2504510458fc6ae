import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@nimo/testing';

const ROOT = join(import.meta.dirname, '../..');

/** Starts a process that runs the source, prints a line and waits. */
async function startProcess(source: string): Promise<{ readonly output: string; kill(): Promise<void> }> {
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
  const [output] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const ended = once(child, 'exit');
  return {
    output: output.trim(),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

describe('a killed test process', () => {
  it('takes its child processes with it, even stopped ones', async () => {
    const process = await startProcess(`
      import { spawn } from 'node:child_process';
      import { guard } from './test/servers/guardian.ts';
      const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
      guard({ pid: child.pid });
      child.kill('SIGSTOP');
      console.log(child.pid);`);
    const pid = Number(process.output);
    expect(isRunning(pid)).toBe(true);
    await process.kill();
    await eventually(
      () => !isRunning(pid),
      Boolean,
      () => 'end of the child process',
    );
  });

  it('takes its PostgreSQL server and data with it', async () => {
    const process = await startProcess(`
      import { startTestServer } from './test/servers/test-server.ts';
      const { dataFolder } = await startTestServer();
      console.log(dataFolder);`);
    const lock = join(process.output, 'postgres/server/cluster/postmaster.pid');
    const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10);
    expect(isRunning(pid)).toBe(true);
    await process.kill();
    await eventually(
      () => !isRunning(pid) && !existsSync(process.output),
      Boolean,
      () => 'end of the server',
    );
  });
});

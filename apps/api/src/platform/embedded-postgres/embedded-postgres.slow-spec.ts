import { afterEach, describe, expect, it } from '@jest/globals';
import { newClient } from '@nimo/event-store';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@nimo/testing';
import { SERVER_FOLDER } from '../../../../../test/servers/server-folder.js';
import { attachEmbeddedPostgres, stopAbandonedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';
import { processIdentity } from './postmaster.js';

const folders: string[] = [];
const children: ChildProcess[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(SERVER_FOLDER, 'nimo-embedded-'));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
}

const attach = (dataFolder: string): Promise<EmbeddedPostgres> =>
  attachEmbeddedPostgres({ dataFolder, durable: false });

async function attachFromOutside(dataFolder: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(join(import.meta.dirname, 'testing/attach.mjs'), [dataFolder], {
    execArgv: ['--no-warnings'],
  });
  children.push(child);
  const [message] = await once(child, 'message');
  return { child, url: message.url };
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = newClient({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const lockFile = (folder: string): string => join(folder, 'postgres/server/cluster/postmaster.pid');
const postmasterOf = (folder: string): number =>
  Number(readFileSync(lockFile(folder), 'utf8').split('\n')[0]);

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) {
    await stopAbandonedPostgres(folder);
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('the embedded PostgreSQL', () => {
  it('keeps its data across starts and opens no port', async () => {
    const folder = newFolder();
    const first = await attach(folder);
    await query(first.url(), 'create table kept as select 7 as seven');
    expect(await query(first.url(), 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
    const pid = postmasterOf(folder);
    await first.detach();
    expect(processIdentity(pid)).toBeUndefined();
    const second = await attach(folder);
    expect(await query(second.url(), 'TABLE kept')).toEqual([{ seven: 7 }]);
    await second.detach();
  });

  it('supports code point order, Unicode case folding, guillemets in full-text search, and trigrams', async () => {
    const server = await attach(newFolder());
    await query(server.url(), 'create extension pg_trgm; create extension unaccent');
    const rows = await query(
      server.url(),
      `select array(select x from unnest(array['a', 'Z', 'é', '_']) as x order by x) as sorted, lower('ÉΩ') as lower,
        to_tsvector('simple', '«\u00a0bonjour\u00a0»') @@ to_tsquery('simple', 'bonjour') as found, 'Été' % 'été' as similar,
        unaccent('Été') as plain`,
    );
    expect(rows).toEqual([
      { sorted: ['Z', '_', 'a', 'é'], lower: 'éω', found: true, similar: true, plain: 'Ete' },
    ]);
    await server.detach();
  });

  it('is shared by all processes and stopped by the last one', async () => {
    const folder = newFolder();
    const [own, outside, other] = await Promise.all([
      attach(folder),
      attachFromOutside(folder),
      attachFromOutside(folder),
    ]);
    expect([outside.url, other.url]).toEqual([own.url(), own.url()]);
    const pid = postmasterOf(folder);
    await own.detach();
    outside.child.send('leave');
    await once(outside.child, 'exit');
    expect(await query(other.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    other.child.send('leave');
    await once(other.child, 'exit');
    expect(processIdentity(pid)).toBeUndefined();
  });

  it('does not count a killed process as attached', async () => {
    const folder = newFolder();
    const { child } = await attachFromOutside(folder);
    const pid = postmasterOf(folder);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const own = await attach(folder);
    expect(postmasterOf(folder)).toBe(pid);
    await own.detach();
    expect(processIdentity(pid)).toBeUndefined();
  });

  it('survives processes attaching while the last one detaches', async () => {
    const folder = newFolder();
    let server = await attach(folder);
    for (let round = 0; round < 5; round += 1) {
      const [, next] = await Promise.all([server.detach(), attach(folder)]);
      expect(await query(next.url(), 'select 1 as one')).toEqual([{ one: 1 }]);
      server = next;
    }
    await server.detach();
  });

  it('starts again after all processes were killed', async () => {
    const folder = newFolder();
    const { child, url } = await attachFromOutside(folder);
    await query(url, 'create table kept as select 7 as seven');
    const pid = postmasterOf(folder);
    child.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');
    await eventually(() => processIdentity(pid) === undefined);
    const again = await attach(folder);
    expect(await query(again.url(), 'TABLE kept')).toEqual([{ seven: 7 }]);
    await again.detach();
  });

  it('ignores a stale lock file whose PID belongs to another program', async () => {
    const folder = newFolder();
    await (await attach(folder)).detach();
    writeFileSync(lockFile(folder), `${process.ppid}\n/elsewhere\n0\n5432\n/tmp\n\n  0 0\nready\n`);
    const server = await attach(folder);
    expect(await query(server.url(), 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.detach();
  });

  it('ignores leftovers of an interrupted creation', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'postgres/server/creating-old/cluster'), { recursive: true });
    const server = await attach(folder);
    expect(await query(server.url(), 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.detach();
    expect(existsSync(join(folder, 'postgres/server/cluster/PG_VERSION'))).toBe(true);
  });

  it('works in a folder its own user cannot access', async () => {
    const closed = mkdtempSync('/tmp/nimo-closed-');
    const server = await attach(join(closed, 'data'));
    expect(await query(server.url(), 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.detach();
    rmSync(realpathSync(join(closed, 'data/postgres/server')), { recursive: true, force: true });
    rmSync(closed, { recursive: true });
  });

  it('rejects data of another major version with a one-line error', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'postgres/server/cluster'), { recursive: true });
    writeFileSync(join(folder, 'postgres/server/cluster/PG_VERSION'), '15\n');
    await expect(attach(folder)).rejects.toThrow(/was created by PostgreSQL 15, but this is 18/);
  });

  it('reports an unwritable folder with a one-line error', async () => {
    await expect(attach('/dev/null/data')).rejects.toThrow(
      /^\/dev\/null\/data has a file where a folder is needed \(ENOTDIR\)\.$/,
    );
  });
});

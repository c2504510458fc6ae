import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STREAM_PREFIXES } from '@nimo/domain';
import { newClient, openEventStoreDb } from '@nimo/event-store';

export interface FirstStartOptions {
  readonly databaseUrl: string;
  /** Set when the log is not in the database. */
  readonly eventStoreUrl: string | undefined;
  readonly dataDir: string;
  /** Path of the compiled CLI. */
  readonly commandLine: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/**
 * Seeds an empty installation with demo content. An interrupted seeding is repeated: its commands have stable keys, so nothing is
 * duplicated.
 * @returns the text with the logins
 */
export async function seedOnFirstStart(options: FirstStartOptions): Promise<string> {
  const { dataDir } = options;
  const unfinished = join(dataDir, 'demo.unfinished');
  const done = join(dataDir, 'demo.txt');
  const isNeeded = existsSync(unfinished) || (!existsSync(done) && (await isLogEmpty(options)));
  if (!isNeeded) return readFile(done, 'utf8').catch(() => '');
  await writeFile(unfinished, '');
  const text = await runSeed(options);
  await writeFile(done, text, { mode: 0o600 });
  await rm(unfinished);
  return text;
}

function isLogEmpty({ databaseUrl, eventStoreUrl }: FirstStartOptions): Promise<boolean> {
  return eventStoreUrl === undefined ? isTableEmpty(databaseUrl) : isServerEmpty(eventStoreUrl);
}

/** Ignores streams of other applications. */
async function isServerEmpty(connectionString: string): Promise<boolean> {
  const log = await openEventStoreDb({ connectionString, streamPrefixes: STREAM_PREFIXES });
  try {
    return (await log.head()) === undefined;
  } finally {
    await log.close();
  }
}

async function isTableEmpty(url: string): Promise<boolean> {
  const client = newClient({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('log.events') is not null as exists`,
    );
    if (rows[0]?.exists !== true) return true;
    const { rowCount } = await client.query('select from log.events limit 1');
    return rowCount === 0;
  } finally {
    await client.end();
  }
}

function runSeed({ commandLine, environment, signal }: FirstStartOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [commandLine, 'seed-demo'], {
      env: environment,
      signal,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`seed-demo ended with exit code ${code ?? 'unknown'}`)),
    );
  });
}

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STREAM_PREFIXES } from '@nimo/domain';
import { newClient, openEventStoreDb } from '@nimo/event-store';

export interface FirstStartOptions {
  readonly databaseUrl: string;
  /** Where the log is not in that database. */
  readonly eventStoreUrl: string | undefined;
  readonly dataDir: string;
  /** The command line of the product, as JavaScript. */
  readonly commandLine: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/**
 * Fills an empty installation with the demonstration content and answers the lines that tell how to log in.
 * A seeding that was interrupted is repeated: its commands carry stable keys, so nothing is doubled.
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

/** Of Nimo's own: others may use the same server. */
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

import { access, constants, statfs } from 'node:fs/promises';
import { type EventStore, readMismatches } from '@nimo/event-store';
import type { Pool } from 'pg';
import { Controller, Get, Header, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { isUpToDate } from '../../platform/database/migrate.js';
import type { Messages } from '../../platform/pubsub/messages.js';
import { canServe, type Health, type HealthCheck, HealthReport } from '../../platform/operations/health.js';
import { STORAGE_PATHS } from '../uploads/picture-access.js';
import { Public } from '../../platform/auth/access.js';

interface HealthSources {
  readonly settings: Settings;
  readonly pool: Pool;
  readonly store: EventStore;
  readonly messages: Messages;
  readonly jobs: JobQueues;
  readonly files: FileStore;
}

/** Below this the disk counts as degraded. */
const MIN_FREE_BYTES = 256 * 1024 * 1024;
const UNKNOWN_KEY = '00000000-0000-4000-8000-000000000000';

/** Health checks for every configured dependency of a process. */
export function healthChecks({ settings, pool, store, messages, jobs, files }: HealthSources): HealthCheck[] {
  return [
    { name: 'database', isEssential: true, check: () => up(pool.query('select from read.students limit 1')) },
    { name: 'migrations', isEssential: true, check: () => checkMigrations(pool) },
    // Not essential: without the log nothing can be written, but everything can still be read.
    { name: 'log', isEssential: false, check: () => up(store.head()) },
    { name: 'logProof', isEssential: false, check: () => checkLogProof(pool) },
    { name: 'projections', isEssential: false, check: () => checkProjections(pool) },
    { name: 'search', isEssential: false, check: () => checkSearch(settings) },
    { name: 'jobs', isEssential: false, check: () => up(jobs.depths()) },
    { name: 'liveUpdates', isEssential: false, check: () => checkMessages(messages) },
    { name: 'files', isEssential: false, check: () => up(files.get(STORAGE_PATHS.thumbnail(UNKNOWN_KEY))) },
    { name: 'disk', isEssential: false, check: () => checkDiskSpace(settings.dataDir) },
  ];
}

async function up(check: Promise<unknown>): Promise<'up'> {
  await check;
  return 'up';
}

/** A newer schema counts as up, because versions overlap during a rolling update. */
async function checkMigrations(pool: Pool): Promise<'up'> {
  if (!(await isUpToDate(pool))) throw new Error('the database schema is older than this version');
  return 'up';
}

/** Degraded if the log does not match its hash chain or its signed checkpoints. */
async function checkLogProof(pool: Pool): Promise<'up' | 'degraded'> {
  return (await readMismatches(pool)).length === 0 ? 'up' : 'degraded';
}

/** Degraded if a live projection has stopped or has no leader. */
async function checkProjections(pool: Pool): Promise<'up' | 'degraded'> {
  const { rowCount } = await pool.query(
    `select from read.projection_generations
     where status = 'live' and (error is not null or expires_at is null or expires_at < clock_timestamp()) limit 1`,
  );
  return rowCount === 0 ? 'up' : 'degraded';
}

/** The embedded engine, which runs in the database, takes over while a configured one is unavailable. */
async function checkSearch({ typesenseUrl }: Settings): Promise<'up' | 'degraded'> {
  if (typesenseUrl === undefined) return 'up';
  try {
    const response = await fetch(`${typesenseUrl.replace(/\/$/, '')}/health`, {
      signal: AbortSignal.timeout(1_000),
    });
    const body = (await response.json()) as { readonly ok?: boolean };
    return body.ok === true ? 'up' : 'degraded';
  } catch {
    return 'degraded';
  }
}

async function checkMessages(messages: Messages): Promise<'up'> {
  if (!messages.isConnected) throw new Error('not connected to the messages of other processes');
  return Promise.resolve('up');
}

async function checkDiskSpace(folder: string): Promise<'up' | 'degraded'> {
  await access(folder, constants.W_OK);
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= MIN_FREE_BYTES ? 'up' : 'degraded';
}

@Controller('health')
export class HealthController {
  constructor(private readonly report: HealthReport) {}

  /** The process is running; a restart would not help. */
  @Public()
  @Get('live')
  @Header('cache-control', 'no-store')
  live(): { readonly status: 'live' } {
    return { status: 'live' };
  }

  /** Whether requests can be served. Lists the last known state of each component without waiting for checks. */
  @Public()
  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const health = await this.report.ready();
    await reply
      .code(canServe(health) ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(health);
  }

  /** Checks every component now. For people. */
  @Public()
  @Get(['components', 'parts'])
  @Header('cache-control', 'no-store')
  components(): Promise<Health> {
    return this.report.diagnosis();
  }
}

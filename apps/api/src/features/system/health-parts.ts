import { access, constants, statfs } from 'node:fs/promises';
import { type EventStore, knownMisfits } from '@nimo/event-store';
import type { Pool } from 'pg';
import { Controller, Get, Header, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { isUpToDate } from '../../platform/database/migrate.js';
import type { Messages } from '../../platform/pubsub/messages.js';
import { canServe, type Health, type HealthPart, HealthReport } from '../../platform/operations/health.js';
import { STORED_AT } from '../uploads/picture-access.js';
import { Public } from '../../platform/auth/access.js';

interface CheckedParts {
  readonly settings: Settings;
  readonly pool: Pool;
  readonly store: EventStore;
  readonly messages: Messages;
  readonly jobs: JobQueues;
  readonly files: FileStore;
}

/** A disk with less than this is about to stop somebody. */
const MIN_FREE_BYTES = 256 * 1024 * 1024;
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Every part that a process stands on, as configured. */
export function healthParts({ settings, pool, store, messages, jobs, files }: CheckedParts): HealthPart[] {
  return [
    { name: 'database', isEssential: true, check: () => up(pool.query('select from read.students limit 1')) },
    { name: 'migrations', isEssential: true, check: () => migrated(pool) },
    // Without the log nothing can be written, but all that was can still be read.
    { name: 'log', isEssential: false, check: () => up(store.head()) },
    { name: 'logProof', isEssential: false, check: () => proven(pool) },
    { name: 'projections', isEssential: false, check: () => projected(pool) },
    { name: 'search', isEssential: false, check: () => searched(settings) },
    { name: 'jobs', isEssential: false, check: () => up(jobs.depths()) },
    { name: 'liveUpdates', isEssential: false, check: () => heard(messages) },
    { name: 'files', isEssential: false, check: () => up(files.get(STORED_AT.thumbnail(NOBODY))) },
    { name: 'disk', isEssential: false, check: () => hasRoom(settings.dataDir) },
  ];
}

async function up(asked: Promise<unknown>): Promise<'up'> {
  await asked;
  return 'up';
}

/** A database of a later version is well: the versions overlap while processes are replaced one by one. */
async function migrated(pool: Pool): Promise<'up'> {
  if (!(await isUpToDate(pool))) throw new Error('the database was not brought to this version');
  return 'up';
}

/** Degraded where the log does not fit its chain or what was signed of it. */
async function proven(pool: Pool): Promise<'up' | 'degraded'> {
  return (await knownMisfits(pool)).length === 0 ? 'up' : 'degraded';
}

/** Degraded where what is read no longer follows: a projection that stopped, or that nobody runs. */
async function projected(pool: Pool): Promise<'up' | 'degraded'> {
  const { rowCount } = await pool.query(
    `select from read.projection_generations
     where status = 'live' and (error is not null or expires_at is null or expires_at < clock_timestamp()) limit 1`,
  );
  return rowCount === 0 ? 'up' : 'degraded';
}

/** The embedded engine is the database's, and answers while the configured one is away. */
async function searched({ typesenseUrl }: Settings): Promise<'up' | 'degraded'> {
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

async function heard(messages: Messages): Promise<'up'> {
  if (!messages.isConnected) throw new Error('what other processes tell is not heard');
  return Promise.resolve('up');
}

async function hasRoom(folder: string): Promise<'up' | 'degraded'> {
  await access(folder, constants.W_OK);
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= MIN_FREE_BYTES ? 'up' : 'degraded';
}

@Controller('health')
export class HealthController {
  constructor(private readonly report: HealthReport) {}

  /** The process runs; restarting it would not help. */
  @Public()
  @Get('live')
  @Header('cache-control', 'no-store')
  live(): { readonly status: 'live' } {
    return { status: 'live' };
  }

  /** Requests can be answered. The parts are listed in either case, as last seen: nobody waits for them. */
  @Public()
  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const health = await this.report.ready();
    await reply
      .code(canServe(health) ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(health);
  }

  /** How every part is now, for people. */
  @Public()
  @Get('parts')
  @Header('cache-control', 'no-store')
  parts(): Promise<Health> {
    return this.report.diagnosis();
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { STREAM_PREFIXES } from '@nimo/domain';
import type { EventStore, AvailabilityListener } from '@nimo/event-store';
import { newClient, openEventStore, withCodec } from '@nimo/event-store';
import { projections } from '@nimo/projections';
import { areProjectionsPrepared, prepareProjections, ProjectionWaiter } from '@nimo/projection-engine';
import type pg from 'pg';
import { SettingsError } from '../config/settings-error.js';
import type { Settings } from '../config/load-settings.js';
import { migrateAsSelf, prepareDatabase } from '../database/migrate.js';
import { SNAPSHOT_TABLE } from '../database/postgres-snapshots.js';
import { connectionName, createPool } from '../database/open-database.js';
import type { Logger } from '../logging/logger.js';
import type { Messages } from '../pubsub/messages.js';
import { PostgresMessages } from '../pubsub/postgres-messages.js';
import { RedisMessages } from '../pubsub/redis-messages.js';
import { measuredStore, Metrics } from '../operations/metrics.js';
import { Tracing } from '../operations/tracing.js';
import {
  assertKeysMatch,
  ClaimHasher,
  reportLostKeys,
  studentsWithSealedData,
} from '../personal-data/key-uses.js';
import { decryptionKeys } from '../personal-data/master-keys.js';
import { PersonalDataCodec } from '../personal-data/personal-data.codec.js';
import { StudentKeys } from '../personal-data/student-keys.js';
import { assertLogEngine } from './installation.js';
import type { Clock, SharedClock } from '../config/tokens.js';

/** Resources a process opens before Nest starts and closes after it stops. */
export interface Runtime {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly pool: pg.Pool;
  readonly messages: Messages;
  readonly store: EventStore;
  /** The log as stored: personal data encrypted, original schema versions. */
  readonly log: EventStore;
  readonly studentKeys: StudentKeys;
  readonly hasher: ClaimHasher;
  readonly waiter: ProjectionWaiter;
  readonly clock: Clock;
  readonly sharedClock: SharedClock;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

export interface RuntimeOptions {
  readonly settings: Settings;
  readonly logger: Logger;
  /** Process name in pg_stat_activity. */
  readonly name: string;
  /** Replaces the clocks of this machine and of the database. */
  readonly clock?: Clock;
  /** How long a mutation waits for projections; 1000 by default. */
  readonly projectionTimeoutMs?: number;
  /** Timeout of calls to an external log; below ten seconds where users wait. */
  readonly logTimeoutMs?: number;
  /** Wraps the log below the codec; imports use it to order appends. */
  readonly arrangeLog?: (log: EventStore) => EventStore;
}

/** Creates the runtime without connecting: see `startRuntime`. */
export async function openRuntime({
  settings,
  logger,
  name,
  clock,
  projectionTimeoutMs,
  logTimeoutMs,
  arrangeLog = (log) => log,
}: RuntimeOptions): Promise<Runtime> {
  const { databaseUrl } = settings;
  if (databaseUrl === undefined) {
    throw new SettingsError(
      'DATABASE_URL must be set to start a single process; npm start includes the embedded database.',
    );
  }
  for (const { from, to } of settings.renamed) logger.warn(`${from} is now ${to}: rename it`);
  const directUrl = settings.databaseDirectUrl ?? databaseUrl;
  const pool = createPool({
    url: databaseUrl,
    size: settings.databasePoolSize,
    name: connectionName(name),
    onIdleError: (err) => logger.warn({ err }, 'an idle database connection was lost'),
  });
  const onMessageError = (err: unknown): void =>
    logger.error({ err }, 'could not handle a message of another process');
  const metrics = new Metrics(name);
  metrics.watchPool(pool);
  const tracing = new Tracing(settings, logger, name);
  const log = await openEventStore({
    eventStoreUrl: settings.eventStoreUrl,
    streamPrefixes: STREAM_PREFIXES,
    deadlineMs: logTimeoutMs,
    availabilityListener: logNews(logger),
    databaseUrl,
    databaseDirectUrl: directUrl,
    snapshotTable: SNAPSHOT_TABLE,
    name: connectionName(name),
  });
  const studentKeys = new StudentKeys(pool, decryptionKeys(settings), studentsWithSealedData(log));
  const store = withCodec(
    measuredStore(arrangeLog(log), metrics, tracing),
    new PersonalDataCodec(studentKeys, reportLostKeys(logger, metrics)),
  );
  const waiter = new ProjectionWaiter({
    pool,
    connect: () =>
      newClient({ connectionString: directUrl, application_name: connectionName(name, 'waiter') }),
    onError: (err) => logger.warn({ err }, 'waiting for projections failed'),
    ...(projectionTimeoutMs !== undefined && { timeoutMs: projectionTimeoutMs }),
  });
  return {
    settings,
    logger,
    pool,
    messages:
      settings.redisUrl === undefined
        ? new PostgresMessages(
            { url: directUrl, name: connectionName(name, 'listener') },
            pool,
            onMessageError,
          )
        : new RedisMessages(settings.redisUrl, onMessageError),
    log,
    store,
    studentKeys,
    hasher: new ClaimHasher(settings.hmacKey, settings.previousHmacKey),
    waiter,
    clock: clock ?? (() => new Date()),
    sharedClock: clock ? () => Promise.resolve(clock()) : () => databaseTime(pool),
    metrics,
    tracing,
  };
}

/** Logs when the event log becomes unreachable, and when it is back. */
const logNews = (logger: Logger): AvailabilityListener => ({
  onUnavailable: (cause) =>
    logger.warn(
      { part: 'log' },
      `the event log is unreachable, retrying: ${cause instanceof Error ? cause.message : String(cause)}`,
    ),
  onAvailable: (failures) =>
    logger.info({ part: 'log', failures }, `the event log is reachable again after ${failures} failed calls`),
});

async function databaseTime(pool: pg.Pool): Promise<Date> {
  const { rows } = await pool.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  const [row] = rows;
  if (!row) throw new Error('the database returned no time');
  return new Date(row.ms);
}

/** Prepares the database and connects. Any process may be the first. */
export async function startRuntime(runtime: Runtime): Promise<void> {
  const { settings, pool, messages, waiter, tracing } = runtime;
  await tracing.start();
  await prepare(settings);
  await assertLogEngine(pool, settings);
  await assertKeysMatch(pool, settings, runtime.studentKeys);
  await waitForProjections(runtime);
  await Promise.all([messages.start(), waiter.start()]);
}

async function prepare({ databaseOwnerUrl, databaseDirectUrl, databaseUrl }: Settings): Promise<void> {
  const directUrl = databaseDirectUrl ?? databaseUrl;
  if (databaseOwnerUrl !== undefined) await prepareDatabase(databaseOwnerUrl);
  else if (directUrl !== undefined) await migrateAsSelf(directUrl);
}

const PREPARE_TIMEOUT_MS = 60_000;
const POLL_MS = 250;

/** Without the privilege to create projections, as in the API's role, lets the owner create them or waits for a worker. */
async function waitForProjections({ pool, store, settings }: Runtime): Promise<void> {
  const { rows } = await pool.query<{ may: boolean }>(
    `select coalesce(has_schema_privilege(to_regnamespace('read'), 'CREATE'), true) as may`,
  );
  if (rows[0]?.may === true) return prepareProjections(pool, store, projections);
  if (settings.databaseOwnerUrl !== undefined) {
    const owner = createPool({ url: settings.databaseOwnerUrl, size: 2, name: 'nimo preparation' });
    try {
      await prepareProjections(owner, store, projections);
    } finally {
      await owner.end();
    }
    return;
  }
  const deadline = Date.now() + PREPARE_TIMEOUT_MS;
  while (!(await areProjectionsPrepared(pool, projections))) {
    if (Date.now() > deadline)
      throw new SettingsError('The projections do not exist yet: start a worker, which creates them.');
    await delay(POLL_MS);
  }
}

/** Closes the parts in reverse order of dependency. */
export async function closeRuntime({ messages, waiter, store, pool, tracing }: Runtime): Promise<void> {
  await waiter.stop();
  await messages.stop();
  await store.close();
  await pool.end();
  await tracing.stop();
}

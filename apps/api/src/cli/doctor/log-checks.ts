import { readChainPlace } from '@nimo/event-store';
import type pg from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import { withTimeout } from '../../platform/operations/health.js';
import { configuredKeys } from '../../platform/personal-data/key-uses.js';
import { readLogEngine } from '../../platform/runtime/installation.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { trustedKeys, readCheckpoints } from '../log/log-session.js';
import { advice, broken, ok, CHECK_TIMEOUT_MS, reasonOf, type Finding } from './finding.js';

/** Checks the keys and the log against the database, once it has Nimo's tables. Writes nothing. */
export async function checkLogAndKeys(runtime: Runtime): Promise<Finding[]> {
  const { pool, log, settings, studentKeys } = runtime;
  const { rows } = await pool.query<{ exists: boolean }>(
    `select to_regclass('state.key_fingerprint') is not null and to_regclass('state.log_engine') is not null as exists`,
  );
  if (rows[0]?.exists !== true) return [];
  const home = await readLogEngine(pool);
  const configured = settings.eventStoreUrl === undefined ? 'postgresql' : 'eventstoredb';
  if (home !== undefined && home !== configured)
    return [
      broken(
        'log',
        `The log of this installation is in ${home}, but ${configured} is configured.`,
        home === 'eventstoredb'
          ? 'Set EVENTSTORE_URL.'
          : 'Unset EVENTSTORE_URL, or move the log with nimo log copy --switch.',
      ),
    ];
  return [
    ...(await checkKeys(pool, settings)),
    ...((await studentKeys.isMasterKeyCorrect()) ? [] : [wrongKey('NIMO_MASTER_KEY')]),
    ...(await checkHead(log, pool)),
    ...(await checkExternalCheckpoints(runtime)),
  ];
}

/** Checks every external checkpoint. Skips a log that was never chained, so that no key is generated for it. */
async function checkExternalCheckpoints(runtime: Runtime): Promise<Finding[]> {
  if ((await readChainPlace(runtime.pool)).ordinal === 0) return [];
  const { faults } = await readCheckpoints(runtime, trustedKeys(runtime));
  if (faults.length === 0) return [ok('external checkpoints', 'Every external checkpoint is up to date.')];
  return faults.map(({ detail }) =>
    broken(
      'external checkpoints',
      detail,
      'Check LOG_HEADS_DIR and LOG_CHECKPOINT_URL, and restore lost heads from another checkpoint (docs/maintenance.md).',
    ),
  );
}

const wrongKey = (env: string): Finding =>
  broken(
    'keys',
    `${env} is not the key this database was created with.`,
    `Set ${env} to that key, or set ${env}_PREVIOUS to it while you rotate keys.`,
  );

async function checkKeys(pool: pg.Pool, settings: Settings): Promise<Finding[]> {
  const { rows } = await pool.query<{ key: string; fingerprint: string }>(
    'select key, fingerprint from state.key_fingerprint',
  );
  return Object.entries(configuredKeys(settings)).map(([name, { env, fingerprint, former }]) => {
    const used = rows.filter(({ key }) => key === name).map((row) => row.fingerprint);
    const isKnown = used.some((known) => known === fingerprint || known === former);
    return used.length === 0 || isKnown ? ok('keys', `${env} matches this database.`) : wrongKey(env);
  });
}

async function checkHead(log: Runtime['log'], pool: pg.Pool): Promise<Finding[]> {
  let head: Awaited<ReturnType<Runtime['log']['head']>>;
  try {
    head = await withTimeout(log.head(), CHECK_TIMEOUT_MS);
  } catch (error) {
    return [
      broken(
        'log',
        `The event log does not respond: ${reasonOf(error)}.`,
        'Check EVENTSTORE_URL or the database, and make sure the server is running.',
      ),
    ];
  }
  return [
    ok('log', head === undefined ? 'The event log responds; it is empty.' : 'The event log responds.'),
    ...(await checkProjections(pool)),
  ];
}

export async function checkProjections(pool: pg.Pool): Promise<Finding[]> {
  const { rows } = await pool.query<{ name: string; isAhead: boolean }>(
    `select name, coalesce((error ->> 'isAheadOfLog')::boolean, false) as "isAhead"
     from read.projection_generations where status = 'live' and error is not null order by name`,
  );
  const named = (isAhead: boolean): string =>
    rows.flatMap((row) => (row.isAhead === isAhead ? [row.name] : [])).join(', ');
  const [ahead, stopped] = [named(true), named(false)];
  if (rows.length === 0) return [ok('projections', 'None are stopped.')];
  return [
    ...(ahead === ''
      ? []
      : [
          broken(
            'projections',
            `Ahead of the log, which was restored from an older backup, so new events do not show: ${ahead}.`,
            'Restore log and database from backups of the same time, or run nimo projections rebuild all.',
          ),
        ]),
    ...(stopped === ''
      ? []
      : [
          advice(
            'projections',
            `Stopped at an event: ${stopped}.`,
            'Run nimo projections status, then retry or skip the event.',
          ),
        ]),
  ];
}

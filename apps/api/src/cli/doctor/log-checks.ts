import { readChainPlace } from '@nimo/event-store';
import type pg from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import { withTimeout } from '../../platform/operations/health.js';
import { givenKeys } from '../../platform/personal-data/key-uses.js';
import { readHome } from '../../platform/runtime/installation.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { believedKeys, lookAtWitnesses } from '../log/log-session.js';
import { advice, broken, fine, PATIENCE_MS, reasonOf, type Finding } from './finding.js';

/** What needs tables of Nimo: the keys that it was filled with, and where its log is. Nothing is written. */
export async function checkLogAndKeys(runtime: Runtime): Promise<Finding[]> {
  const { pool, log, settings, studentKeys } = runtime;
  const { rows } = await pool.query<{ exists: boolean }>(
    `select to_regclass('state.key_use') is not null and to_regclass('state.log_home') is not null as exists`,
  );
  if (rows[0]?.exists !== true) return [];
  const home = await readHome(pool);
  const wanted = settings.eventStoreUrl === undefined ? 'postgresql' : 'eventstoredb';
  if (home !== undefined && home !== wanted)
    return [
      broken(
        'log',
        `The log of this installation is in ${home}, the settings say ${wanted}.`,
        home === 'eventstoredb'
          ? 'Set EVENTSTORE_URL.'
          : 'Unset EVENTSTORE_URL, or move the log with nimo log copy --switch.',
      ),
    ];
  return [
    ...(await checkKeys(pool, settings)),
    ...((await studentKeys.isMasterKeyRight()) ? [] : [anotherKey('NIMO_MASTER_KEY')]),
    ...(await checkHead(log, pool)),
    ...(await checkWitnesses(runtime)),
  ];
}

/** Every place where signed heads are kept. Of a log that was never chained nothing is expected, and no key is made for it. */
async function checkWitnesses(runtime: Runtime): Promise<Finding[]> {
  if ((await readChainPlace(runtime.pool)).ordinal === 0) return [];
  const { faults } = await lookAtWitnesses(runtime, believedKeys(runtime));
  if (faults.length === 0) return [fine('log witnesses', 'Every place for signed heads has them.')];
  return faults.map(({ detail }) =>
    broken(
      'log witnesses',
      detail,
      'Check LOG_HEADS_DIR and LOG_WITNESS_URL, and bring lost heads back from another place (docs/maintenance.md).',
    ),
  );
}

const anotherKey = (env: string): Finding =>
  broken(
    'keys',
    `${env} is not the key that this database was filled with.`,
    `Set ${env} to that key, or name it as ${env}_FORMER while it rotates.`,
  );

async function checkKeys(pool: pg.Pool, settings: Settings): Promise<Finding[]> {
  const { rows } = await pool.query<{ key: string; print: string }>('select key, print from state.key_use');
  return Object.entries(givenKeys(settings)).map(([name, { env, print, former }]) => {
    const used = rows.filter(({ key }) => key === name).map((row) => row.print);
    const isKnown = used.some((known) => known === print || known === former);
    return used.length === 0 || isKnown
      ? fine('keys', `${env} is the one of this database.`)
      : anotherKey(env);
  });
}

/** @param log the store as it is configured */
async function checkHead(log: Runtime['log'], pool: pg.Pool): Promise<Finding[]> {
  let head: Awaited<ReturnType<Runtime['log']['head']>>;
  try {
    head = await withTimeout(log.head(), PATIENCE_MS);
  } catch (error) {
    return [
      broken(
        'log',
        `The event log does not answer: ${reasonOf(error)}.`,
        'Check EVENTSTORE_URL, or the database, and that the server runs.',
      ),
    ];
  }
  return [
    fine('log', head === undefined ? 'The event log answers; it is empty.' : 'The event log answers.'),
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
  if (rows.length === 0) return [fine('projections', 'None has stopped.')];
  return [
    ...(ahead === ''
      ? []
      : [
          broken(
            'projections',
            `Ahead of the log, which was brought back from an older copy, so that what is written now is not shown: ${ahead}.`,
            'Bring back the log and the database from copies of one time, or run nimo projections rebuild all.',
          ),
        ]),
    ...(stopped === ''
      ? []
      : [
          advice(
            'projections',
            `Stopped at an event: ${stopped}.`,
            'See nimo projections status, then retry or skip the event.',
          ),
        ]),
  ];
}

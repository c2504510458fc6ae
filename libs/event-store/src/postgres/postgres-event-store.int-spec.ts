import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { expect } from '@jest/globals';
import type pg from 'pg';
import { commandsSeed, createTestDatabase, eventually, hasRandomSeeds } from '@nimo/testing';
import { type ContractLog, describeEventStore, type HeldAppend } from '../contract.js';
import { type Append, type EventStore, EventStoreUnavailableError } from '../port.js';
import { newClient, openPool } from './connections.js';
import { PostgresEventStore } from './postgres-event-store.js';
import { LOG_LOCK } from './schema.js';

const HELD_APPEND = `select * from log.append_events(array[$1], array[-1]::bigint[], array[1], array[$2]::uuid[], array['Held'], '{}', '{}')`;

describeEventStore('PostgreSQL', commandsSeed(), async (): Promise<ContractLog> => {
  const database = await createTestDatabase();
  const elsewhere = await createTestDatabase();
  const pool = database.pool();
  const sockets = new Set<Duplex>();
  const appenders = openPool({ connectionString: database.url, max: 8 });
  appenders.on('error', () => undefined);
  appenders.on('connect', (client) => sockets.add(client.connection.stream));
  const cutConnections = async (): Promise<void> => {
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
  };
  return {
    connect: () => new PostgresEventStore({ pool: appenders, directUrl: database.url, pollIntervalMs: 200 }),
    holdAppend: (streamId) => holdAppend(database.url, streamId),
    writeElsewhere: () => writeElsewhere(elsewhere.pool()),
    cutConnections,
    loseResponse: (store, append) => loseResponse(pool, sockets, store, append),
    startsEmpty: true,
    emptyLog: { absentBecause: 'creating a database per sequence would take seconds' },
    sequences: hasRandomSeeds ? 300 : 50,
    uniqueEventIds: true,
    reportsDuplicates: true,
    tamper: ["update log.events set type = 'x'", 'delete from log.events', 'truncate log.events'].map(
      (statement) => () => pool.query(statement),
    ),
    drop: async () => {
      await appenders.end();
      await database.drop();
      await elsewhere.drop();
    },
  };
});

async function holdAppend(url: string, streamId: string): Promise<HeldAppend> {
  const client = newClient({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query(HELD_APPEND, [streamId, randomUUID()]);
  const settle = async (statement: string): Promise<void> => {
    await client.query(statement);
    await client.end();
  };
  return { commit: () => settle('COMMIT'), rollback: () => settle('ROLLBACK') };
}

async function writeElsewhere(pool: pg.Pool): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query('create table open_write (id int)');
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

/** Breaks the appender's socket while its statement waits for the lock; the server still commits it. */
async function loseResponse(
  pool: pg.Pool,
  sockets: Set<Duplex>,
  store: EventStore,
  append: Append,
): Promise<void> {
  const holder = await pool.connect();
  await holder.query(`select pg_advisory_lock(${LOG_LOCK})`);
  const response = store.append([append]);
  const rejected = expect(response).rejects.toThrow(EventStoreUnavailableError);
  await eventually(
    () => waitingAppenders(holder),
    (count) => count === 1,
  );
  for (const socket of sockets) socket.destroy();
  await rejected;
  await holder.query(`select pg_advisory_unlock(${LOG_LOCK})`);
  await eventually(
    () => waitingAppenders(holder),
    (count) => count === 0,
  );
  holder.release();
}

async function waitingAppenders(client: pg.PoolClient): Promise<number> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
  );
  return rowCount ?? 0;
}

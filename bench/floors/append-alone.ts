import { randomUUID } from 'node:crypto';
import { openPool } from '@nimo/event-store';
import type pg from 'pg';
import { voteEvent } from '../figures/vote-event.js';
import { closedLoop } from '../sampling.js';

/** The server has 100 connections; some are reserved. */
export const MAX_CONNECTIONS = 90;

const STATEMENT = `select outcome, last_position
  from log.append_events($1::text[], $2::bigint[], $3::int[], $4::uuid[], $5::text[], $6::text, $7::text)`;

/** The log's append statement for one event of a new stream: lock, order and keys, without batching, notification or store. */
export async function appendAlone(pool: Pick<pg.Pool, 'query'>, id = randomUUID()): Promise<string> {
  const { type, data, metadata } = voteEvent();
  const { rows } = await pool.query<{ outcome: string; last_position: string }>({
    name: 'append-alone',
    text: STATEMENT,
    values: [
      [`vote-${id}`],
      '{-1}',
      '{1}',
      `{${id}}`,
      [type],
      JSON.stringify(data),
      JSON.stringify(metadata),
    ],
  });
  const [row] = rows;
  if (row?.outcome !== 'appended') throw new Error('conflict on append to a new stream');
  return row.last_position;
}

/** Appends per second through plain `pg` clients, one event each. */
export async function appendsAlone(url: string, clients: number, seconds: number): Promise<number> {
  return withPool(url, clients, async (pool) => {
    const { perSecond } = await closedLoop({
      clients,
      seconds,
      work: async () => {
        await appendAlone(pool);
      },
    });
    return perSecond;
  });
}

/** Plain inserts of the same row into a table with the log's columns and keys: the cost of three keys instead of one, without ordering. */
export async function keyedCommits(url: string, clients: number, seconds: number): Promise<number> {
  return withPool(url, clients, async (pool) => {
    await pool.query('create sequence if not exists bare_positions');
    await pool.query('create table if not exists bare_events (like log.events including indexes)');
    const { perSecond } = await closedLoop({
      clients,
      seconds,
      work: async () => {
        const { id, type, data, metadata } = voteEvent();
        await pool.query({
          name: 'keyed',
          text: `insert into bare_events values (nextval('bare_positions'), $1, 0, $2, $3, $4, $5)`,
          values: [`vote-${id}`, id, type, data, metadata],
        });
      },
    });
    return perSecond;
  });
}

async function withPool<T>(url: string, clients: number, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = openPool({ connectionString: url, max: Math.min(clients, MAX_CONNECTIONS) });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

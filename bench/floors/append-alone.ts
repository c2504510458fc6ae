import { randomUUID } from 'node:crypto';
import { openPool } from '@nimo/event-store';
import type pg from 'pg';
import { voteEvent } from '../figures/vote-event.js';
import { closedLoop } from '../sampling.js';

/** Of the server's hundred connections some stay with its owner. */
export const MAX_CONNECTIONS = 90;

const STATEMENT = `select outcome, last_position
  from log.append_events($1::text[], $2::bigint[], $3::int[], $4::uuid[], $5::text[], $6::text, $7::text)`;

/** The log's own statement for one event of a new stream: its lock, its order and its keys, without group, doorbell and store. */
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
  if (row?.outcome !== 'appended') throw new Error('an append into a new stream met a conflict');
  return row.last_position;
}

/** Appends a second by as many bare clients, one event each. */
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

/** The same row into a table with the log's columns and keys, by a plain insert: what three keys cost instead of one, and no order. */
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

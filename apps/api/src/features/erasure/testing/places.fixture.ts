import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import type { Redis } from 'ioredis';
import pg from 'pg';

const has = (text: string, value: string): boolean => text.toLowerCase().includes(value.toLowerCase());

/** Tables of any schema with a row that contains the value. */
export async function tablesWith(pool: pg.Pool, value: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool.query(`select from ${name} t where t::text ilike $1 limit 1`, [
      `%${value}%`,
    ]);
    if (rowCount) found.push(name);
  }
  return found;
}

/** All events of the log. */
export async function readWholeLog(store: EventStore): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.position;
    const page = await store.readAll({ ...(after === undefined ? {} : { after }), limit: 1_000 });
    if (page.length === 0) return events;
    events.push(...page);
  }
}

export const eventsWith = async (store: EventStore, value: string): Promise<readonly string[]> =>
  (await readWholeLog(store))
    .filter(({ data, metadata }) => has(JSON.stringify([data, metadata]), value))
    .map(({ type }) => `event ${type}`);

/** Files whose name or content contains the value. */
export async function filesWith(folder: string, value: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    // The file may have been removed meanwhile.
    const content = await readFile(path, 'latin1').catch(() => '');
    if (has(entry.name, value) || has(content, value)) found.push(path);
  }
  return found;
}

/** Redis keys whose name or value contains the value. */
export async function redisKeysWith(redis: Redis, value: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const key of await redis.keys('*'))
    if (has(JSON.stringify([key, await contentOf(redis, key)]), value)) found.push(`redis ${key}`);
  return found;
}

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  switch (type) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, '0', '-1');
    case 'stream':
      return redis.xrange(key, '-', '+');
    // The key may have expired meanwhile.
    case 'none':
      return undefined;
    default:
      throw new Error(`cannot read ${key} of type ${type}`);
  }
}

/** Rows of all `read` views that do not contain the student's id, as text. */
export async function rowsWithout(pool: pg.Pool, studentId: string): Promise<readonly string[]> {
  const { rows: views } = await pool.query<{ name: string }>(
    // Excluded: the erasure appends its own events here.
    `select table_name as name from information_schema.views
     where table_schema = 'read' and table_name <> 'question_events' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of views) {
    const { rows } = await pool.query<{ row: string }>(
      `select v::text as row from read.${pg.escapeIdentifier(name)} v where v::text not like $1 order by 1`,
      [`%${studentId}%`],
    );
    found.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return found;
}

import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import type { Redis } from 'ioredis';
import pg from 'pg';

/** Anything that can hold data: the rows of a table, an event, a file, a key of Redis. */
export interface Place {
  readonly name: string;
  readonly text: string;
}

/** Labels of the values found, each with the places that contain it. */
export type Findings = Readonly<Record<string, readonly string[]>>;

/** The value as it may be stored: plain, in bytes (`bytea` prints as hex), in base64 at any offset, or escaped. */
function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // The characters at both ends depend on the bytes around the value.
    const end = (offset + bytes.length) % 3;
    return text.replace(/=+$/, '').slice(offset === 0 ? 0 : offset + 1, end === 0 ? undefined : -1);
  });
  const escaped = [JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = html.replaceAll('"', '&quot;').replaceAll("'", '&#39;');
  const url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const forms = [value, bytes.toString('hex'), ...base64, ...url, ...escaped, html, quoted];
  return [...new Set(forms.map((form) => form.toLowerCase()))];
}

/** Where each value occurs in any of its forms, in any case. Values that occur nowhere are left out. */
export function findValues(places: Iterable<Place>, values: Readonly<Record<string, string>>): Findings {
  const wanted = Object.entries(values).map(([label, value]) => ({ label, forms: formsOf(value) }));
  const found = new Map<string, Set<string>>();
  for (const { name, text } of places) {
    const all = `${name} ${text}`.toLowerCase();
    for (const { label, forms } of wanted)
      if (forms.some((form) => all.includes(form)))
        found.set(label, (found.get(label) ?? new Set()).add(name));
  }
  return Object.fromEntries([...found].map(([label, names]) => [label, [...names].sort()]));
}

/** All rows of all tables of the database, queues included. */
export async function tablePlaces(pool: pg.Pool): Promise<readonly Place[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  const places: Place[] = [];
  for (const { name } of rows) {
    const { rows: found } = await pool.query<{ text: string }>(
      `select coalesce(string_agg(t::text, e'\\n'), '') as text from ${name} t`,
    );
    places.push({ name, text: found[0]?.text ?? '' });
  }
  return places;
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

/** All events as decoded, with what the keys still open. */
export const eventPlaces = async (store: EventStore): Promise<readonly Place[]> =>
  (await readWholeLog(store)).map(({ type, streamId, data, metadata }) => ({
    name: `event ${type}`,
    text: JSON.stringify([streamId, data, metadata]),
  }));

/** All files with their names: uploads, exports, logs. */
export async function filePlaces(folder: string): Promise<readonly Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const places: Place[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    // The file may have been removed meanwhile.
    const text = await readFile(path, 'latin1').catch(() => '');
    places.push({ name: relative(folder, path), text });
  }
  return places;
}

/** All keys of Redis with their values. */
export async function redisPlaces(redis: Redis): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (const key of await redis.keys('*'))
    places.push({ name: `redis ${key}`, text: JSON.stringify([await contentOf(redis, key)]) });
  return places;
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

import { factKeysOf, type ScoreFactKey } from '@nimo/domain';
import type { Columns, Key, ProjectedEvent, RowOf } from './projection.js';

export const FACT_KEY_COLUMNS = {
  space_id: { type: 'text' },
  student_id: { type: 'text' },
  kind: { type: 'text' },
  post_id: { type: 'text' },
  source_id: { type: 'text' },
} as const satisfies Columns;

/** Identifies a fact; the leading columns of every table of facts. */
type FactKeyRow = RowOf<typeof FACT_KEY_COLUMNS>;

/** In the order of `ScoreFactKey`. Space and student come first so that a student's facts, replayed together, are stored together. */
export const FACT_KEY = [
  'space_id',
  'student_id',
  'kind',
  'post_id',
  'source_id',
] as const satisfies readonly (keyof FactKeyRow)[];

export const factKeyRow = ([space_id, student_id, kind, post_id, source_id]: ScoreFactKey): FactKeyRow => ({
  space_id,
  student_id,
  kind,
  post_id,
  source_id,
});

/** @param key a row's key, made by `factKeysOf` */
export const factKeyOf = (key: Key): ScoreFactKey => key as unknown as ScoreFactKey;

const identityOf = (key: Key): string => key.join(' ');

/** The events of each fact, in log order. Each event is listed once, even if an investigation names a vote twice. */
export function eventsByFact(
  facts: Iterable<Key>,
  events: Iterable<ProjectedEvent>,
): (key: Key) => readonly ProjectedEvent[] {
  const byFact = new Map<string, ProjectedEvent[]>();
  const posts = new Set<Key[number] | undefined>();
  for (const key of facts) {
    byFact.set(identityOf(key), []);
    posts.add(key[POST]);
  }
  for (const event of events) {
    const keys = event.undecodable === undefined ? factKeysOf(event) : [];
    // Skips the events of other posts, which are the majority.
    for (const key of keys) {
      const own = posts.has(key[POST]) ? byFact.get(identityOf(key)) : undefined;
      if (own && own.at(-1) !== event) own.push(event);
    }
  }
  return (key) => byFact.get(identityOf(key)) ?? [];
}

const POST = FACT_KEY.indexOf('post_id');

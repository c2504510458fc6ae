import { factKeysOf, type ScoreFactKey } from '@nimo/domain';
import type { Columns, Key, ProjectedEvent, RowOf } from './projection.js';

export const FACT_KEY_COLUMNS = {
  space_id: { type: 'text' },
  student_id: { type: 'text' },
  kind: { type: 'text' },
  post_id: { type: 'text' },
  source_id: { type: 'text' },
} as const satisfies Columns;

/** What tells a fact from all others; every table of facts begins with it. */
type FactKeyRow = RowOf<typeof FACT_KEY_COLUMNS>;

/** In the order of `ScoreFactKey`. By space and student first: a student's facts lie together, as they are read when scores are replayed. */
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

/** Of a row's key, which is one that `factKeysOf` gave. */
export const factKeyOf = (key: Key): ScoreFactKey => key as unknown as ScoreFactKey;

const identityOf = (key: Key): string => key.join(' ');

/** Which of the events concern each of some facts, in their order, each once: a case may name a vote twice. */
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
    // Most events are of other posts, which is seen at once.
    for (const key of keys) {
      const own = posts.has(key[POST]) ? byFact.get(identityOf(key)) : undefined;
      if (own && own.at(-1) !== event) own.push(event);
    }
  }
  return (key) => byFact.get(identityOf(key)) ?? [];
}

const POST = FACT_KEY.indexOf('post_id');

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
export type FactKeyRow = RowOf<typeof FACT_KEY_COLUMNS>;

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

/** Which of the events concern a fact, in their order, each once: a case may name a vote twice. */
export function eventsByFact(events: Iterable<ProjectedEvent>): (key: Key) => readonly ProjectedEvent[] {
  const byFact = new Map<string, ProjectedEvent[]>();
  for (const event of events) {
    const keys = event.undecodable === undefined ? factKeysOf(event) : [];
    for (const identity of new Set(keys.map(identityOf))) {
      const own = byFact.get(identity) ?? [];
      byFact.set(identity, own);
      own.push(event);
    }
  }
  return (key) => byFact.get(identityOf(key)) ?? [];
}

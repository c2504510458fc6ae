import type { DomainEvent } from '../events.js';
import { factKeysOf, foldFact, type OrdinalEvent, type ScoreFact } from '../scoring/score-fact.js';

/** Events as a projection receives them, numbered from 1, one minute apart. */
export const numbered = (events: readonly DomainEvent[]): OrdinalEvent[] =>
  events.map((event, index) => ({
    ...event,
    ordinal: index + 1,
    metadata: { occurredAt: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString() },
  }));

/** All facts of a log. */
export const factsOf = (events: readonly DomainEvent[]): ScoreFact[] => {
  const rows = new Map<string, ScoreFact>();
  for (const event of numbered(events)) {
    for (const key of factKeysOf(event)) {
      const row = foldFact(rows.get(key.join(' ')), event, key);
      if (row) rows.set(key.join(' '), row);
    }
  }
  return [...rows.values()];
};

export const factsOfStudent = (events: readonly DomainEvent[], studentId: string): ScoreFact[] =>
  factsOf(events).filter((fact) => fact.studentId === studentId);

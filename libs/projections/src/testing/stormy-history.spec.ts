import { describe, expect, it } from '@jest/globals';
import { historySeed } from '@nimo/testing';
import { EVENT_TYPES } from '@nimo/domain';
import { stormyPast } from './stormy-history.fixture.js';

/** Of the rarest kind they have some twenty. */
const HISTORIES = 24;

describe('stormy histories', () => {
  const seed = historySeed();
  const pasts = Array.from({ length: HISTORIES }, (_, index) => stormyPast(seed + index, 600));

  it(`tell of every kind of event (NIMO_HISTORY_SEED=${seed})`, () => {
    const told = new Set(pasts.flatMap(({ events }) => events.map(({ type }) => type)));
    expect(EVENT_TYPES.filter((type) => !told.has(type))).toEqual([]);
  });

  it(`are the same for the same seed (NIMO_HISTORY_SEED=${seed})`, () => {
    expect(stormyPast(seed, 600).events).toEqual(pasts[0]?.events);
  });

  it(`tell of things out of the order in which they happened (NIMO_HISTORY_SEED=${seed})`, () => {
    for (const { events } of pasts) {
      const moments = events.map(({ metadata }) => metadata.occurredAt);
      const back = moments.filter((moment, index) => index > 0 && moment < (moments[index - 1] ?? ''));
      expect(back.length).toBeGreaterThan(20);
      expect(events.some(({ metadata }) => metadata.occurredAt < metadata.recordedAt)).toBe(true);
    }
  });
});

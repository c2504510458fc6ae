import { describe, expect, it } from '@jest/globals';
import { historySeed } from '@nimo/testing';
import { EVENT_TYPES } from '@nimo/domain';
import { chaoticHistory } from './chaotic-history.fixture.js';

/** Enough for about twenty events of the rarest type. */
const HISTORIES = 24;

describe('a chaotic history', () => {
  const seed = historySeed();
  const pasts = Array.from({ length: HISTORIES }, (_, index) => chaoticHistory(seed + index, 600));

  it(`covers every event type (NIMO_HISTORY_SEED=${seed})`, () => {
    const covered = new Set(pasts.flatMap(({ events }) => events.map(({ type }) => type)));
    expect(EVENT_TYPES.filter((type) => !covered.has(type))).toEqual([]);
  });

  it(`is deterministic for a seed (NIMO_HISTORY_SEED=${seed})`, () => {
    expect(chaoticHistory(seed, 600).events).toEqual(pasts[0]?.events);
  });

  it(`records events out of order (NIMO_HISTORY_SEED=${seed})`, () => {
    for (const { events } of pasts) {
      const moments = events.map(({ metadata }) => metadata.occurredAt);
      const back = moments.filter((moment, index) => index > 0 && moment < (moments[index - 1] ?? ''));
      expect(back.length).toBeGreaterThan(20);
      expect(events.some(({ metadata }) => metadata.occurredAt < metadata.recordedAt)).toBe(true);
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import { factKeysOf } from '@nimo/domain';
import { foldRow } from '@nimo/projection-engine';
import type { ProjectedEvent, Row, RowChange } from '../projection.js';
import { factEventsEnd, factHistory, type FactHistoryRow } from './history.tables.js';
import { possibleEvents, projectedEvents, type TimedEvent } from './fact-history.fixture.js';

/** Bytes the projection writes for each event, with one event per batch as in live processing. */
async function bytesWritten(events: readonly ProjectedEvent[]): Promise<number[]> {
  const rows = new Map<string, FactHistoryRow | undefined>();
  const bytes: number[] = [];
  for (const event of events) {
    const changes = factKeysOf(event).flatMap((key): RowChange[] => {
      const before = rows.get(key.join());
      const after = foldRow(factHistory, before, event, key);
      rows.set(key.join(), after);
      return before === after ? [] : [{ key, before, after }];
    });
    let written = changes.reduce((sum, { after }) => sum + JSON.stringify(after).length, 0);
    const sql = (_: string, values: readonly unknown[] = []): Promise<Row[]> => {
      written += JSON.stringify(values).length;
      return Promise.resolve([]);
    };
    await factEventsEnd.run(new Map([[factHistory.name, changes]]), sql, {
      events: [event],
      after: 0,
      rebuilding: false,
    });
    bytes.push(written);
  }
  return bytes;
}

/** The second event also writes the first one, so the baseline starts at the third. */
function expectToStayFlat(bytes: readonly number[]): void {
  const early = Math.max(...bytes.slice(2, 6));
  expect(Math.max(...bytes.slice(6))).toBeLessThan(early * 1.1);
}

describe('a vote toggled many times', () => {
  const toggles = (count: number, minuteOf: (index: number) => number): TimedEvent[] => {
    const { vote } = possibleEvents();
    return Array.from({ length: count }, (_, index): TimedEvent => [
      minuteOf(index),
      { type: index % 2 === 0 ? 'VoteCast' : 'VoteWithdrawn', data: vote },
    ]);
  };

  it('writes as much for the 3,000th toggle as for the third', async () => {
    expectToStayFlat(await bytesWritten(projectedEvents(toggles(3_000, (index) => index))));
  });

  it('writes as much when 1,600 toggles arrive out of time order', async () => {
    const events = toggles(1_600, (index) => (index % 3 === 2 ? index - 2 : index));
    expectToStayFlat(await bytesWritten(projectedEvents(events)));
  });
});

describe('a round of reports', () => {
  it('writes as much for the 1,000th report as for the third', async () => {
    const { reportEvents } = possibleEvents();
    const [report] = reportEvents;
    if (report?.type !== 'PostReported') throw new Error('no report');
    const events = Array.from({ length: 1_000 }, (_, index): TimedEvent => [
      index,
      { type: 'PostReported', data: { ...report.data, reporterId: `reporter-${1_000 + index}` } },
    ]);
    expectToStayFlat(await bytesWritten(projectedEvents(events)));
  });
});

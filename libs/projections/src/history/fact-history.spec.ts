import { describe, expect, it } from '@jest/globals';
import { factKeysOf } from '@nimo/domain';
import { foldRow } from '@nimo/projection-engine';
import type { ProjectedEvent, Row, RowChange } from '../projection.js';
import { factEventsEnd, factHistory, type FactHistoryRow } from './history.tables.js';
import { happenings, projectedEvents, type Told } from './fact-history.fixture.js';

/** Bytes that each event makes the projection write, one batch an event, as it is live. */
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

/** The second event writes the first one as well: what comes after it is measured by the third. */
function expectToStayFlat(bytes: readonly number[]): void {
  const early = Math.max(...bytes.slice(2, 6));
  expect(Math.max(...bytes.slice(6))).toBeLessThan(early * 1.1);
}

describe('a vote that is toggled again and again', () => {
  const toggles = (count: number, minuteOf: (index: number) => number): Told[] => {
    const { vote } = happenings();
    return Array.from({ length: count }, (_, index): Told => [
      minuteOf(index),
      { type: index % 2 === 0 ? 'VoteCast' : 'VoteWithdrawn', data: vote },
    ]);
  };

  it('costs the same at the 3,000th time as at the third', async () => {
    expectToStayFlat(await bytesWritten(projectedEvents(toggles(3_000, (index) => index))));
  });

  it('costs the same where two apis tell of 1,600 of them out of time order', async () => {
    const told = toggles(1_600, (index) => (index % 3 === 2 ? index - 2 : index));
    expectToStayFlat(await bytesWritten(projectedEvents(told)));
  });
});

describe('a round of reports', () => {
  it('costs the same for the thousandth reporter as for the third', async () => {
    const { ofReports } = happenings();
    const [report] = ofReports;
    if (report?.type !== 'PostReported') throw new Error('no report');
    const told = Array.from({ length: 1_000 }, (_, index): Told => [
      index,
      { type: 'PostReported', data: { ...report.data, reporterId: `reporter-${1_000 + index}` } },
    ]);
    expectToStayFlat(await bytesWritten(projectedEvents(told)));
  });
});

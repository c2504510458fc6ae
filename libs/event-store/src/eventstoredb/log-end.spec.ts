import { describe, expect, it } from '@jest/globals';
import { END } from '@eventstore/db-client';
import type { RecordedEvent } from '../port.js';
import { formatGlobalPosition } from './subscription-batches.js';
import { LogEnd, type ReadBack } from './log-end.js';

const placeOf = (at: number) => ({ commit: BigInt(at), prepare: BigInt(at) });
const positionOf = (at: number): string => formatGlobalPosition(placeOf(at));

describe('the end of a log', () => {
  /** Of the product where it is true. */
  let log: boolean[];
  const readBack: ReadBack = (from, maxCount) => {
    const before = from === END ? log.length + 1 : Number(from.commit);
    const places = log.map((_, index) => index + 1).filter((at) => at < before);
    const page = places.toReversed().slice(0, maxCount);
    return Promise.resolve({
      events: page
        .filter((at) => log[at - 1])
        .map((at): RecordedEvent => ({
          ...{ id: `e${at}`, type: 'T', data: {}, metadata: {}, streamId: 's-1', revision: 0 },
          position: positionOf(at),
        })),
      count: page.length,
      first: page[0] === undefined ? undefined : placeOf(page[0]),
      last: page.at(-1) === undefined ? undefined : placeOf(page.at(-1) ?? 0),
    });
  };
  const others = (count: number): boolean[] => Array.from({ length: count }, () => false);

  it('lies before what the server wrote for itself', async () => {
    log = [true, true, ...others(100)];
    expect(await new LogEnd(readBack).head()).toBe(positionOf(2));
  });

  it('is that of the log that there is, not of one that was there before', async () => {
    const end = new LogEnd(readBack);
    log = [...others(50), true, true, ...others(2_000)];
    expect(await end.head()).toBe(positionOf(52));
    log = [...others(50), true, ...others(400)];
    expect(await end.head()).toBe(positionOf(51));
    log = [];
    expect(await end.head()).toBeUndefined();
  });
});

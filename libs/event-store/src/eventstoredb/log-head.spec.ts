import { describe, expect, it } from '@jest/globals';
import { END } from '@eventstore/db-client';
import type { RecordedEvent } from '../port.js';
import { formatGlobalPosition } from './subscription-batches.js';
import { LogHead, type ReadBackwards } from './log-head.js';

const globalPositionOf = (at: number) => ({ commit: BigInt(at), prepare: BigInt(at) });
const positionOf = (at: number): string => formatGlobalPosition(globalPositionOf(at));

describe('LogHead', () => {
  /** True for product events, false for system events. */
  let log: boolean[];
  const readBackwards: ReadBackwards = (from, maxCount) => {
    const before = from === END ? log.length + 1 : Number(from.commit);
    const numbers = log.map((_, index) => index + 1).filter((at) => at < before);
    const page = numbers.toReversed().slice(0, maxCount);
    return Promise.resolve({
      events: page
        .filter((at) => log[at - 1])
        .map((at): RecordedEvent => ({
          ...{ id: `e${at}`, type: 'T', data: {}, metadata: {}, streamId: 's-1', revision: 0 },
          position: positionOf(at),
        })),
      count: page.length,
      first: page[0] === undefined ? undefined : globalPositionOf(page[0]),
      last: page.at(-1) === undefined ? undefined : globalPositionOf(page.at(-1) ?? 0),
    });
  };
  const systemEvents = (count: number): boolean[] => Array.from({ length: count }, () => false);

  it('skips system events', async () => {
    log = [true, true, ...systemEvents(100)];
    expect(await new LogHead(readBackwards).head()).toBe(positionOf(2));
  });

  it('follows a log restored from an older backup', async () => {
    const end = new LogHead(readBackwards);
    log = [...systemEvents(50), true, true, ...systemEvents(2_000)];
    expect(await end.head()).toBe(positionOf(52));
    log = [...systemEvents(50), true, ...systemEvents(400)];
    expect(await end.head()).toBe(positionOf(51));
    log = [];
    expect(await end.head()).toBeUndefined();
  });
});

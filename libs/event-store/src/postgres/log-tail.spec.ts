import { beforeEach, describe, expect, it } from '@jest/globals';
import { formatPosition } from '../numeric-position.js';
import type { RecordedEvent } from '../port.js';
import { LogTail } from './log-tail.js';

const POLL_MS = 60_000;
const LIMIT = 100;

const event = (position: number, text = ''): RecordedEvent => ({
  id: `event-${position}`,
  type: 'Noted',
  data: { text },
  metadata: {},
  streamId: 'notes',
  revision: position - 1,
  position: formatPosition(position),
});

const positions = (events: readonly RecordedEvent[] | undefined): number[] | undefined =>
  events?.map(({ position }) => Number(position));

describe('LogTail', () => {
  let log: RecordedEvent[];
  let reads: { after: number; limit: number }[];
  let isUnavailable: boolean;
  let tail: LogTail;
  /** Runs between a read of the log and its response. */
  let duringRead: () => void;

  const append = (...texts: string[]): void => texts.forEach((text) => log.push(event(log.length + 1, text)));
  const announce = (): void => tail.announce(log.length);
  const next = async (after: number, limit = LIMIT): Promise<number[] | undefined> =>
    positions(await tail.next(after, limit));

  beforeEach(() => {
    [log, reads, isUnavailable, duringRead] = [[], [], false, () => undefined];
    tail = new LogTail(async (after, limit) => {
      reads.push({ after, limit });
      const seen = isUnavailable ? undefined : log.slice(after, after + limit);
      await Promise.resolve();
      duringRead();
      return seen;
    }, POLL_MS);
    append('first', 'second');
  });

  /** Reads to the head, so that the tail covers it. */
  async function catchUp(): Promise<number> {
    await next(0);
    reads = [];
    return log.length;
  }

  it('reads once for all subscribers at the head', async () => {
    const end = await catchUp();
    append('third', 'fourth');
    announce();
    const seen = await Promise.all([next(end), next(end), next(end)]);
    expect(seen).toEqual([
      [3, 4],
      [3, 4],
      [3, 4],
    ]);
    expect([await next(end), await next(3), await next(4)]).toEqual([[3, 4], [4], []]);
    expect(reads).toHaveLength(1);
  });

  it('does not read again before a notification or the poll interval', async () => {
    const end = await catchUp();
    expect([await next(end), await next(end)]).toEqual([[], []]);
    expect(reads).toEqual([]);
    expect(tail.waitMs(end)).toBeGreaterThan(0);
    const polling = new LogTail((after) => Promise.resolve(log.slice(after)), 0);
    await polling.next(0, LIMIT);
    append('third');
    expect(positions(await polling.next(end, LIMIT))).toEqual([3]);
  });

  it('wakes all subscribers when one finds events, and none by the notification that follows', async () => {
    const end = await catchUp();
    append('third', 'fourth');
    const { version } = tail.changed;
    tail.announce(3);
    const { version: announced } = tail.changed;
    expect(announced).toBeGreaterThan(version);
    expect(await next(end)).toEqual([3, 4]);
    const { version: found } = tail.changed;
    expect(found).toBeGreaterThan(announced);
    announce();
    expect([tail.changed.version, await next(4)]).toEqual([found, []]);
    expect(reads).toHaveLength(1);
  });

  it('reads again after a notification during a read', async () => {
    const end = await catchUp();
    append('third');
    announce();
    duringRead = () => {
      duringRead = () => undefined;
      append('fourth');
      announce();
    };
    expect(await next(end)).toEqual([3]);
    expect(await next(3)).toEqual([4]);
    expect(reads).toHaveLength(2);
  });

  it('reads separately for a subscriber behind the cached events', async () => {
    await next(1);
    reads = [];
    expect([await next(0), await next(0, 1)]).toEqual([[1, 2], [1]]);
    expect(reads).toEqual([
      { after: 0, limit: LIMIT },
      { after: 0, limit: 1 },
    ]);
    expect(await next(1)).toEqual([2]);
    expect(reads).toHaveLength(2);
  });

  it('caches the latest events up to a size limit', async () => {
    const end = await catchUp();
    const large = 'x'.repeat(2 ** 20);
    for (let count = 0; count < 5; count += 1) {
      append(large);
      announce();
      expect(await next(end + count)).toEqual([end + count + 1]);
    }
    reads = [];
    expect(await next(end + 4)).toEqual([end + 5]);
    expect(reads).toEqual([]);
    await next(end);
    expect(reads).toHaveLength(1);
  });

  it('keeps reading until it reaches the head', async () => {
    const end = await catchUp();
    append(...Array.from({ length: 600 }, () => ''));
    announce();
    let at = end;
    while (at < log.length) at += (await next(at))?.length ?? 0;
    expect(reads.map(({ after }) => after)).toEqual([end, end + 250, end + 500]);
  });

  it('reports an unavailable log and reads again without a notification', async () => {
    const end = await catchUp();
    append('third');
    announce();
    isUnavailable = true;
    expect(await next(end)).toBeUndefined();
    isUnavailable = false;
    expect(await next(end)).toEqual([3]);
  });

  it('reads once for an announced event that does not exist', async () => {
    const end = await catchUp();
    tail.announce(Number.POSITIVE_INFINITY);
    expect([await next(end), await next(end)]).toEqual([[], []]);
    expect(reads).toHaveLength(1);
    append('third');
    announce();
    expect(await next(end)).toEqual([3]);
  });

  it('reads again after a reset, as the server may have changed', async () => {
    await catchUp();
    tail.reset();
    log = [event(1, 'another first')];
    expect(await next(0)).toEqual([1]);
    expect(reads).toHaveLength(1);
    expect(await tail.next(0, LIMIT)).toEqual(log);
  });

  it('does not serve a subscriber beyond the head from its cache', async () => {
    expect(await next(7)).toEqual([]);
    const { version } = tail.changed;
    append('third');
    announce();
    expect(tail.changed.version).toBeGreaterThan(version);
    expect(await next(2)).toEqual([3]);
  });
});

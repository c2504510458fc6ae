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

describe('the tail of a log', () => {
  let log: RecordedEvent[];
  let reads: { after: number; limit: number }[];
  let isAway: boolean;
  let tail: LogTail;
  /** What happens after a read saw the log and before it answers. */
  let meanwhile: () => void;

  const append = (...texts: string[]): void => texts.forEach((text) => log.push(event(log.length + 1, text)));
  const ring = (): void => tail.ring(log.length);
  const next = async (after: number, limit = LIMIT): Promise<number[] | undefined> =>
    positions(await tail.next(after, limit));

  beforeEach(() => {
    [log, reads, isAway, meanwhile] = [[], [], false, () => undefined];
    tail = new LogTail(async (after, limit) => {
      reads.push({ after, limit });
      const seen = isAway ? undefined : log.slice(after, after + limit);
      await Promise.resolve();
      meanwhile();
      return seen;
    }, POLL_MS);
    append('first', 'second');
  });

  /** Everybody is at the end, and the tail knows it. */
  async function arrived(): Promise<number> {
    await next(0);
    reads = [];
    return log.length;
  }

  it('is read once for all who wait at its end', async () => {
    const end = await arrived();
    append('third', 'fourth');
    ring();
    const seen = await Promise.all([next(end), next(end), next(end)]);
    expect(seen).toEqual([
      [3, 4],
      [3, 4],
      [3, 4],
    ]);
    expect([await next(end), await next(3), await next(4)]).toEqual([[3, 4], [4], []]);
    expect(reads).toHaveLength(1);
  });

  it('is not read again before somebody rings or the clock says so', async () => {
    const end = await arrived();
    expect([await next(end), await next(end)]).toEqual([[], []]);
    expect(reads).toEqual([]);
    expect(tail.restMs(end)).toBeGreaterThan(0);
    const impatient = new LogTail((after) => Promise.resolve(log.slice(after)), 0);
    await impatient.next(0, LIMIT);
    append('third');
    expect(positions(await impatient.next(end, LIMIT))).toEqual([3]);
  });

  it('wakes all when one has found more, and nobody by the ring that comes after it', async () => {
    const end = await arrived();
    append('third', 'fourth');
    const { version } = tail.changed;
    tail.ring(3);
    const { version: rung } = tail.changed;
    expect(rung).toBeGreaterThan(version);
    expect(await next(end)).toEqual([3, 4]);
    const { version: found } = tail.changed;
    expect(found).toBeGreaterThan(rung);
    ring();
    expect([tail.changed.version, await next(4)]).toEqual([found, []]);
    expect(reads).toHaveLength(1);
  });

  it('is read again when somebody rang while it was read', async () => {
    const end = await arrived();
    append('third');
    ring();
    meanwhile = () => {
      meanwhile = () => undefined;
      append('fourth');
      ring();
    };
    expect(await next(end)).toEqual([3]);
    expect(await next(3)).toEqual([4]);
    expect(reads).toHaveLength(2);
  });

  it('is read by whoever is further behind than is kept, for itself', async () => {
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

  it('keeps what was found last and so much before it', async () => {
    const end = await arrived();
    const heavy = 'x'.repeat(2 ** 20);
    for (let count = 0; count < 5; count += 1) {
      append(heavy);
      ring();
      expect(await next(end + count)).toEqual([end + count + 1]);
    }
    reads = [];
    expect(await next(end + 4)).toEqual([end + 5]);
    expect(reads).toEqual([]);
    await next(end);
    expect(reads).toHaveLength(1);
  });

  it('goes on in further looks where one did not find the end', async () => {
    const end = await arrived();
    append(...Array.from({ length: 600 }, () => ''));
    ring();
    let at = end;
    while (at < log.length) at += (await next(at))?.length ?? 0;
    expect(reads.map(({ after }) => after)).toEqual([end, end + 250, end + 500]);
  });

  it('says that it cannot be reached, and is looked at again without a ring', async () => {
    const end = await arrived();
    append('third');
    ring();
    isAway = true;
    expect(await next(end)).toBeUndefined();
    isAway = false;
    expect(await next(end)).toEqual([3]);
  });

  it('looks once for what was announced and is not there', async () => {
    const end = await arrived();
    tail.ring(Number.POSITIVE_INFINITY);
    expect([await next(end), await next(end)]).toEqual([[], []]);
    expect(reads).toHaveLength(1);
    append('third');
    ring();
    expect(await next(end)).toEqual([3]);
  });

  it('is read anew once it was forgotten, as its server may be another', async () => {
    await arrived();
    tail.forget();
    log = [event(1, 'another first')];
    expect(await next(0)).toEqual([1]);
    expect(reads).toHaveLength(1);
    expect(await tail.next(0, LIMIT)).toEqual(log);
  });

  it('takes nobody beyond its end for one who follows', async () => {
    expect(await next(7)).toEqual([]);
    const { version } = tail.changed;
    append('third');
    ring();
    expect(tail.changed.version).toBeGreaterThan(version);
    expect(await next(2)).toEqual([3]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@nimo/testing';
import { EndingStore, waitForQueries } from '../testing/ending-store.js';
import { InMemoryEventStore } from '../in-memory/in-memory-event-store.js';
import { EventStoreDbEventStore } from '../eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbDouble } from '../eventstoredb/testing/eventstoredb-double.js';
import { BrokenChainError, ChainFollower } from './chain-follower.js';
import {
  acquireChainLease,
  appendLinks,
  ChainLeaseLostError,
  readChainTip,
  readLinks,
  renewChainLease,
} from './chain-table.js';
import { EMPTY_CHAIN, linksOf } from './event-chain.js';
import { readSignedHeads } from './log-heads.js';
import { ChainedLog } from './testing/chained-log.js';
import { chainedHead, oddAppends } from './testing/odd-events.js';

describe('ChainFollower', () => {
  let chained: ChainedLog;
  beforeEach(async () => {
    chained = await ChainedLog.create();
  });
  afterEach(() => chained.drop());

  const ordinals = async (): Promise<number[]> =>
    (await readLinks(chained.pool, 0, 1_000_000)).map(({ ordinal }) => ordinal);
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

  it('resumes where it stopped without gaps', async () => {
    await chained.append(7);
    await chained.chain();
    await chained.append(5);
    await chained.chain();
    expect(await ordinals()).toEqual(upTo(12));
    const tip = await readChainTip(chained.pool);
    expect(tip.head.toString('hex')).toBe(await chainedHead(chained.log));
  });

  it('chains new events exactly once, with several followers running', async () => {
    const errors: unknown[] = [];
    const followers = [1, 2, 3].map(
      () =>
        new ChainFollower({
          pool: chained.pool,
          log: chained.log,
          onError: (error) => void errors.push(error),
          retryMs: 10,
        }),
    );
    for (const follower of followers) follower.start();
    await chained.append(20);
    await chained.chained();
    // Stops the lease holder, so that another follower acquires the lease.
    for (const follower of followers) {
      await chained.append(3);
      await chained.chained();
      await follower.stop();
    }
    expect(errors).toEqual([]);
    expect(await ordinals()).toEqual(upTo(29));
    expect((await chained.verify()).mismatch).toBeNull();
  });

  it('pauses before it resubscribes, even if the subscription ended without an error', async () => {
    const ending = new EndingStore();
    const follower = new ChainFollower({
      pool: chained.pool,
      log: ending,
      onError: () => undefined,
      retryMs: 60_000,
    });
    follower.start();
    await eventually(
      () => ending.subscriptionCount,
      (begun) => begun > 0,
    );
    await waitForQueries(chained.pool);
    await follower.stop();
    expect(ending.subscriptionCount).toBe(1);
  });

  it('writes nothing after its lease expires, even when resumed in the middle of a batch', async () => {
    await chained.append(4);
    const events = await chained.log.readAll({ limit: 10 });
    const links = linksOf(EMPTY_CHAIN, events);
    const frozen = await acquireChainLease(chained.pool, 'frozen');
    if (!frozen) throw new Error('the lease was not acquired');
    expect(await acquireChainLease(chained.pool, 'other')).toBeUndefined();
    await chained.pool.query(
      `update state.log_chain_position set expires_at = clock_timestamp() - interval '1 ms'`,
    );
    const position = events.at(-1)?.position ?? '';
    await expect(appendLinks(chained.pool, frozen, links, position)).rejects.toThrow(ChainLeaseLostError);
    expect(await renewChainLease(chained.pool, frozen)).toBe(false);
    const successor = await acquireChainLease(chained.pool, 'other');
    if (!successor) throw new Error('the expired lease was not acquired');
    await expect(appendLinks(chained.pool, frozen, links, position)).rejects.toThrow(ChainLeaseLostError);
    expect(await ordinals()).toEqual([]);
    await appendLinks(chained.pool, successor, links, position);
    await expect(appendLinks(chained.pool, successor, links, position)).rejects.toThrow(ChainLeaseLostError);
    expect(await ordinals()).toEqual(upTo(4));
  });

  it('stops and reports once if the end of the log is missing', async () => {
    await chained.append(6);
    await chained.chain();
    await chained.tamper('delete from log.events where position > 4');
    const errors = await errorsOfRun(chained);
    expect(errors).toEqual([expect.any(BrokenChainError)]);
    expect(await ordinals()).toEqual(upTo(6));
  });

  it('stops if the end of the chain table is missing', async () => {
    await chained.append(6);
    await chained.chain();
    await chained.tamper('delete from log.chain where ordinal > 4');
    expect(await errorsOfRun(chained)).toEqual([expect.any(BrokenChainError)]);
  });

  it('has its heads signed regularly and when it stops', async () => {
    await chained.append(12);
    await chained.chain(5);
    const { heads } = await chained.folder.read();
    expect(heads.at(-1)?.ordinal).toBe(12);
    expect((await readSignedHeads(chained.pool, 1))[0]).toEqual(heads.at(-1));
    await chained.chain(5);
    expect((await chained.folder.read()).heads).toEqual(heads);
  });

  it('has links of a previous lease holder signed', async () => {
    await chained.append(3);
    const follower = new ChainFollower({
      pool: chained.pool,
      log: chained.log,
      onError: () => undefined,
      retryMs: 10,
    });
    follower.start();
    await chained.chained();
    await follower.stop();
    expect((await chained.folder.read()).heads).toEqual([]);
    await chained.chain(1_000);
    expect((await chained.folder.read()).heads.map(({ ordinal }) => ordinal)).toEqual([3]);
  });
});

/** Runs a follower until it has made a few attempts. */
async function errorsOfRun({ pool, log }: ChainedLog): Promise<unknown[]> {
  const errors: unknown[] = [];
  let attempts = 0;
  const counting = { ...unwrapped(log), head: () => ((attempts += 1), log.head()) };
  const follower = new ChainFollower({
    pool,
    log: counting,
    onError: (error) => void errors.push(error),
    retryMs: 5,
  });
  follower.start();
  await eventually(
    () => attempts,
    (count) => count >= 4,
  );
  await follower.stop();
  return errors;
}

function unwrapped(log: ChainedLog['log']): ChainedLog['log'] {
  return {
    append: (appends) => log.append(appends),
    readStream: (streamId, options) => log.readStream(streamId, options),
    readStreams: (streamIds) => log.readStreams(streamIds),
    readAll: (options) => log.readAll(options),
    subscribe: (options) => log.subscribe(options),
    head: () => log.head(),
    countAfter: (after, atMost) => log.countAfter(after, atMost),
    close: () => log.close(),
  };
}

describe('the stored chain of the same events', () => {
  it('is identical for PostgreSQL, EventStoreDB and in-memory stores', async () => {
    const double = await EventStoreDbDouble.start();
    const logs = await Promise.all([
      ChainedLog.create(),
      ChainedLog.create(new EventStoreDbEventStore({ connectionString: double.connectionString })),
      ChainedLog.create(new InMemoryEventStore()),
    ]);
    const appends = oddAppends();
    const heads: string[] = [];
    for (const each of logs) {
      for (const append of appends) await each.log.append([append]);
      double.appendSystemEvent();
      await each.chain();
      expect(await each.verify()).toMatchObject({ ordinal: 2 * appends.length, chainLag: 0, mismatch: null });
      heads.push((await readChainTip(each.pool)).head.toString('hex'));
    }
    expect(new Set(heads).size).toBe(1);
    await Promise.all(logs.map((each) => each.drop()));
    await double.stop();
  });
});

import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { type EventStore, EventStoreUnavailableError } from '../port.js';
import { type ContractLog, isAbsent } from './contract-log.js';
import { appended, appendOne, collect, newEvents, newStreamId } from './event-fixtures.js';

const RETRY_DELAY_MS = 10;

export function describeFailing(store: () => EventStore, log: () => ContractLog): void {
  it('writes events once when they are resent after a lost response', async () => {
    const { loseResponse } = log();
    const append = { streamId: newStreamId(), expectedRevision: 'no-stream', events: newEvents(2) } as const;
    if (isAbsent(loseResponse)) await appended(store(), append);
    else await loseResponse(store(), append);
    const outcome = await retried(() => appendOne(store(), append));
    expect(outcome).toMatchObject({ kind: 'appended', revision: 1 });
    expect(await store().readStream(append.streamId)).toHaveLength(2);
  });

  it('reads and appends after losing its connections', async () => {
    const { cutConnections } = log();
    const streamId = newStreamId();
    await appended(store(), { streamId, expectedRevision: 'no-stream', events: newEvents(1) });
    if (!isAbsent(cutConnections)) await cutConnections();
    const append = { streamId, expectedRevision: 0, events: newEvents(1) } as const;
    expect(await retried(() => appendOne(store(), append))).toMatchObject({ kind: 'appended', revision: 1 });
    expect(await retried(() => store().readStream(streamId))).toHaveLength(2);
  });

  it('resumes a subscription after losing its connections, each event once and in order', async () => {
    const { cutConnections } = log();
    const after = await store().head();
    const events = newEvents(30);
    const watching = collect(store(), { after, batchSize: 3, until: events.map(({ id }) => id) });
    for (const [index, event] of events.entries()) {
      if (index % 10 === 5 && !isAbsent(cutConnections)) await cutConnections();
      const append = { streamId: newStreamId(), expectedRevision: 'no-stream', events: [event] } as const;
      await retried(() => appendOne(store(), append));
    }
    expect((await watching).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  });

  it('rejects changing or removing written events', async () => {
    const { tamper } = log();
    const streamId = newStreamId();
    await appended(store(), { streamId, expectedRevision: 'no-stream', events: newEvents(1) });
    if (!isAbsent(tamper))
      for (const attempt of tamper) await expect(attempt()).rejects.toThrow(/append-only/);
    expect(await store().readStream(streamId)).toHaveLength(1);
  });

  it('ends its subscriptions when it is closed, and then rejects calls', async () => {
    const closing = log().connect();
    const watching = (async () => {
      const after = await closing.head();
      const signal = AbortSignal.timeout(60_000);
      const subscription = closing.subscribe({ signal, ...(after === undefined ? {} : { after }) });
      for await (const batch of subscription) if (batch.length === 0) throw new Error('an empty batch');
      return signal.aborted;
    })();
    await closing.head();
    await closing.close();
    expect(await watching).toBe(false);
    await closing.close();
    const append = { streamId: newStreamId(), expectedRevision: 'any', events: newEvents(1) } as const;
    await expect(closing.append([append])).rejects.toThrow(EventStoreUnavailableError);
    await expect(closing.head()).rejects.toThrow(EventStoreUnavailableError);
  });

  it('completes appends in flight before it closes', async () => {
    const closing = log().connect();
    const streams = Array.from({ length: 20 }, newStreamId);
    const outcomes = streams.map((streamId) =>
      appendOne(closing, { streamId, expectedRevision: 'no-stream', events: newEvents(1) }),
    );
    await Promise.all([closing.close(), ...outcomes]);
    expect((await Promise.all(outcomes)).every(({ kind }) => kind === 'appended')).toBe(true);
  });
}

/** Retries while the store is unavailable. */
async function retried<T>(action: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof EventStoreUnavailableError)) throw error;
      await delay(RETRY_DELAY_MS);
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { type EventStore, EventStoreUnavailableError } from '../port.js';
import { type ContractLog, isAbsent } from './contract-log.js';
import { appended, appendOne, collect, newEvents, newStreamId } from './event-fixtures.js';

const AGAIN_AFTER_MS = 10;

export function describeFailing(store: () => EventStore, log: () => ContractLog): void {
  it('writes once when the answer was lost and the same events are sent again', async () => {
    const { loseAnswer } = log();
    const append = { streamId: newStreamId(), expectedRevision: 'no-stream', events: newEvents(2) } as const;
    if (isAbsent(loseAnswer)) await appended(store(), append);
    else await loseAnswer(store(), append);
    const outcome = await insist(() => appendOne(store(), append));
    expect(outcome).toMatchObject({ kind: 'appended', revision: 1 });
    expect(await store().readStream(append.streamId)).toHaveLength(2);
  });

  it('reads and appends again after its connections were cut', async () => {
    const { cutConnections } = log();
    const streamId = newStreamId();
    await appended(store(), { streamId, expectedRevision: 'no-stream', events: newEvents(1) });
    if (!isAbsent(cutConnections)) await cutConnections();
    const append = { streamId, expectedRevision: 0, events: newEvents(1) } as const;
    expect(await insist(() => appendOne(store(), append))).toMatchObject({ kind: 'appended', revision: 1 });
    expect(await insist(() => store().readStream(streamId))).toHaveLength(2);
  });

  it('goes on with a subscription after its connections were cut, each event once and in order', async () => {
    const { cutConnections } = log();
    const after = await store().head();
    const events = newEvents(30);
    const watching = collect(store(), { after, batchSize: 3, until: events.map(({ id }) => id) });
    for (const [index, event] of events.entries()) {
      if (index % 10 === 5 && !isAbsent(cutConnections)) await cutConnections();
      const append = { streamId: newStreamId(), expectedRevision: 'no-stream', events: [event] } as const;
      await insist(() => appendOne(store(), append));
    }
    expect((await watching).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  });

  it('refuses to change or remove what is written', async () => {
    const { tamper } = log();
    const streamId = newStreamId();
    await appended(store(), { streamId, expectedRevision: 'no-stream', events: newEvents(1) });
    if (!isAbsent(tamper))
      for (const attempt of tamper) await expect(attempt()).rejects.toThrow(/append-only/);
    expect(await store().readStream(streamId)).toHaveLength(1);
  });

  it('ends its subscriptions when it is closed, and then refuses work', async () => {
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

  it('answers the appends in flight before it closes', async () => {
    const closing = log().connect();
    const streams = Array.from({ length: 20 }, newStreamId);
    const outcomes = streams.map((streamId) =>
      appendOne(closing, { streamId, expectedRevision: 'no-stream', events: newEvents(1) }),
    );
    await Promise.all([closing.close(), ...outcomes]);
    expect((await Promise.all(outcomes)).every(({ kind }) => kind === 'appended')).toBe(true);
  });
}

/** Asks again while the store is unavailable, as a caller does. The timeout of the test ends what hangs. */
async function insist<T>(action: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof EventStoreUnavailableError)) throw error;
      await delay(AGAIN_AFTER_MS);
    }
  }
}

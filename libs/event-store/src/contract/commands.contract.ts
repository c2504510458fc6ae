import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { handleCommand, ConcurrencyError, type CommandResult } from '../handle-command.js';
import type { EventStore, JsonObject, RecordedEvent } from '../port.js';
import type { SnapshotStore, Snapshots, StreamSnapshot } from '../stream-snapshots.js';
import { newStreamId } from './event-fixtures.js';

interface Counter {
  readonly total: number;
}

class InMemorySnapshots implements SnapshotStore {
  readonly kept = new Map<string, StreamSnapshot>();
  isUnavailable = false;

  read(streamIds: readonly string[]): Promise<readonly StreamSnapshot[]> {
    if (this.isUnavailable) return Promise.reject(new Error('unavailable'));
    return Promise.resolve(streamIds.flatMap((id) => this.kept.get(id) ?? []));
  }

  write(snapshots: readonly StreamSnapshot[]): Promise<void> {
    if (this.isUnavailable) return Promise.reject(new Error('unavailable'));
    for (const snapshot of snapshots) this.kept.set(snapshot.streamId, structuredClone(snapshot));
    return Promise.resolve();
  }
}

const totalOf = (state: JsonObject | undefined, events: readonly RecordedEvent[]): number =>
  events.reduce((sum) => sum + 1, Number(state?.['total'] ?? 0));

const snapshotsIn = (store: SnapshotStore): Snapshots => ({
  store,
  foldOf: () => ({
    shape: 'counted',
    fold: (state, events) => ({ total: totalOf(state, events) }) satisfies Counter,
  }),
});

/** Counts the events and characters read from the log. */
function counting(store: EventStore): { readonly store: EventStore; events: number; characters: number } {
  const count = (events: readonly RecordedEvent[]): void => {
    counted.events += events.length;
    counted.characters += events.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
  };
  const counted = {
    events: 0,
    characters: 0,
    store: new Proxy(store, {
      get(target, name) {
        if (name === 'readStream')
          return async (...args: Parameters<EventStore['readStream']>) => {
            const events = await target.readStream(...args);
            count(events);
            return events;
          };
        if (name === 'readStreams')
          return async (...args: Parameters<EventStore['readStreams']>) => {
            const streams = await target.readStreams(...args);
            count([...streams.values()].flat());
            return streams;
          };
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    }),
  };
  return counted;
}

interface AddOptions {
  readonly store: EventStore;
  readonly streamId: string;
  readonly snapshots?: Snapshots | undefined;
  readonly commandId?: string;
  readonly padding?: string;
}

/** Increments a counter; each event records the total before it. */
function add({
  store,
  streamId,
  snapshots,
  commandId = randomUUID(),
  padding = '',
}: AddOptions): Promise<CommandResult> {
  return handleCommand({
    store,
    streamIds: [streamId],
    commandId,
    metadata: {},
    decide: (streams, bases) => {
      const saw = totalOf(bases.get(streamId)?.state, streams.get(streamId) ?? []);
      return { streamId, events: [{ type: 'Counted', data: { saw, padding } }] };
    },
    ...(snapshots ? { snapshots } : {}),
  });
}

const seenIn = async (store: EventStore, streamId: string): Promise<unknown[]> =>
  (await store.readStream(streamId)).map(({ data }) => data['saw']);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

export function describeCommands(store: () => EventStore, seed: number): void {
  it('reads each stream from its own revision', async () => {
    const [one, two, none] = [newStreamId(), newStreamId(), newStreamId()];
    for (const streamId of [one, one, one, two, two]) await add({ store: store(), streamId });
    const from = new Map([
      [one, 2],
      [two, 5],
      [none, 1],
    ]);
    const streams = await store().readStreams([one, two, none], from);
    expect([...streams].map(([id, events]) => [id, events.map(({ revision }) => revision)])).toEqual([
      [one, [2]],
      [two, []],
      [none, []],
    ]);
    expect((await store().readStreams([one, two], new Map([[one, 1]]))).get(two)).toHaveLength(2);
  });

  it('keeps the cost of a command constant as its stream grows', async () => {
    for (const padding of ['', 'x'.repeat(64_000)]) {
      const streamId = newStreamId();
      const snapshots = snapshotsIn(new InMemorySnapshots());
      const times = padding === '' ? 150 : 40;
      const read: { events: number; characters: number }[] = [];
      for (let time = 0; time < times; time += 1) {
        const counted = counting(store());
        await add({ store: counted.store, streamId, snapshots, padding });
        read.push({ events: counted.events, characters: counted.characters });
      }
      expect(await seenIn(store(), streamId)).toEqual(upTo(times));
      expect(Math.max(...read.map(({ events }) => events))).toBeLessThanOrEqual(33);
      // The second command reads one event; later ones read at most two.
      expect(Math.max(...read.slice(2).map(({ characters }) => characters))).toBeLessThanOrEqual(
        padding === '' ? 2_000 : 2 * (read[1]?.characters ?? 0),
      );
    }
  });

  it('recognizes a repeated command from long before the snapshot', async () => {
    const streamId = newStreamId();
    const snapshots = snapshotsIn(new InMemorySnapshots());
    const commandId = randomUUID();
    const first = await add({ store: store(), streamId, commandId, snapshots });
    for (let time = 0; time < 70; time += 1) await add({ store: store(), streamId, snapshots });
    const again = await add({ store: store(), streamId, commandId, snapshots });
    expect(again).toEqual({ ...first, duplicate: true });
    expect(await seenIn(store(), streamId)).toEqual(upTo(71));
  });

  it('ignores a snapshot of a different history or fold', async () => {
    const streamId = newStreamId();
    for (let time = 0; time < 3; time += 1) await add({ store: store(), streamId });
    const [, second] = await store().readStream(streamId);
    const wrong = { streamId, shape: 'counted', state: { total: 77 }, commands: '' };
    for (const snapshot of [
      { ...wrong, revision: 1, eventId: randomUUID() },
      { ...wrong, revision: 9, eventId: randomUUID() },
      { ...wrong, revision: 1, eventId: second?.id ?? '', shape: 'counted differently' },
    ]) {
      const kept = new InMemorySnapshots();
      kept.kept.set(streamId, snapshot);
      await add({ store: store(), streamId, snapshots: snapshotsIn(kept) });
    }
    expect(await seenIn(store(), streamId)).toEqual(upTo(6));
  });

  it('continues when snapshots are unavailable', async () => {
    const streamId = newStreamId();
    const kept = new InMemorySnapshots();
    kept.isUnavailable = true;
    const errors: unknown[] = [];
    const snapshots = { ...snapshotsIn(kept), onError: (error: unknown) => void errors.push(error) };
    for (let time = 0; time < 40; time += 1) await add({ store: store(), streamId, snapshots });
    expect(await seenIn(store(), streamId)).toEqual(upTo(40));
    expect(errors).not.toEqual([]);
  });

  it('holds its guarantees under random commands: repeated, concurrent, with and without snapshots', async () => {
    const command = fc.record({
      stream: fc.nat(1),
      // A client that got no response sends the same key again.
      key: fc.option(fc.nat(3), { freq: 2 }),
      usesSnapshots: fc.boolean(),
    });
    const waves = fc.array(fc.array(command, { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 14,
    });
    await fc.assert(
      fc.asyncProperty(waves, async (sequence) => {
        const streamIds = [newStreamId(), newStreamId()];
        const keys = streamIds.map(() => upTo(4).map(() => randomUUID()));
        const snapshots = snapshotsIn(new InMemorySnapshots());
        const results = new Map<string, Set<string>>();
        for (const wave of sequence) {
          await Promise.all(
            wave.map(async ({ stream, key, usesSnapshots }) => {
              const streamId = streamIds[stream] ?? '';
              const commandId = (key === null ? undefined : keys[stream]?.[key]) ?? randomUUID();
              // Large enough for a snapshot after every other event.
              const padding = 'x'.repeat(20_000);
              const options = { store: store(), streamId, commandId, padding };
              const result = await add({
                ...options,
                snapshots: usesSnapshots ? snapshots : undefined,
              }).catch((error: unknown) => {
                if (error instanceof ConcurrencyError) return undefined;
                throw error;
              });
              if (!result) return;
              const outcomes = results.get(commandId) ?? new Set();
              results.set(commandId, outcomes.add(result.events.map(({ id }) => id).join()));
            }),
          );
        }
        for (const streamId of streamIds) {
          const events = await store().readStream(streamId);
          // Each event was decided from all events before it, and no command was handled twice.
          expect(events.map(({ data }) => data['saw'])).toEqual(upTo(events.length));
          const commandIds = events.map(({ metadata }) => metadata['commandId']);
          expect(new Set(commandIds).size).toBe(commandIds.length);
        }
        // A repeated command gets the same result.
        expect([...results.values()].filter(({ size }) => size !== 1)).toEqual([]);
      }),
      { seed, numRuns: 8 },
    );
  });
}

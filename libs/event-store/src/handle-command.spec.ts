import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { ConcurrencyError, handleCommand, type HandleCommandOptions } from './handle-command.js';
import { InMemoryEventStore } from './in-memory/in-memory-event-store.js';
import { type Append, type AppendOutcome, EventStoreUnavailableError } from './port.js';
import type { LoadedStreams } from './stream-snapshots.js';

/** Toggles a switch: the decision for which handling a command twice does the most harm. */
function toggle(
  streamId: string,
  streams: LoadedStreams,
): { streamId: string; events: { type: string; data: object }[] } {
  const isOn = streams.get(streamId)?.at(-1)?.type === 'SwitchedOn';
  return { streamId, events: [{ type: isOn ? 'SwitchedOff' : 'SwitchedOn', data: {} }] };
}

function newToggle(store: InMemoryEventStore): HandleCommandOptions {
  const streamId = `switch-${randomUUID()}`;
  return {
    store,
    streamIds: [streamId],
    commandId: randomUUID(),
    metadata: { recordedAt: 'now' },
    decide: (streams) => toggle(streamId, streams) as never,
  };
}

/** Handles the first appends as scripted and the rest normally. */
class FaultyStore extends InMemoryEventStore {
  readonly faults: ((append: () => Promise<AppendOutcome[]>) => Promise<AppendOutcome[]>)[] = [];
  override async append(appends: readonly Append[]): Promise<AppendOutcome[]> {
    const fault = this.faults.shift();
    const append = (): Promise<AppendOutcome[]> => super.append(appends);
    return fault ? fault(append) : append();
  }
}

const lost = (): never => {
  throw new EventStoreUnavailableError('no answer');
};

describe('handleCommand', () => {
  it('appends the decided events with the command id in their metadata', async () => {
    const store = new InMemoryEventStore();
    const command = newToggle(store);
    const result = await handleCommand(command);
    expect(result).toMatchObject({ duplicate: false, position: await store.head() });
    expect(result.events).toEqual(await store.readStream(command.streamIds[0] ?? ''));
    expect(result.events[0]?.metadata).toEqual({ recordedAt: 'now', commandId: command.commandId });
  });

  it('returns the earlier result of a repeated command without deciding again', async () => {
    const command = newToggle(new InMemoryEventStore());
    const first = await handleCommand(command);
    await handleCommand({ ...command, commandId: randomUUID() });
    const decide = (): never => {
      throw new Error('decided again');
    };
    expect(await handleCommand({ ...command, decide })).toEqual({ ...first, duplicate: true });
  });

  it('writes a command once when it is sent several times concurrently', async () => {
    const store = new InMemoryEventStore();
    const command = newToggle(store);
    const results = await Promise.all(Array.from({ length: 5 }, () => handleCommand(command)));
    expect(results.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(results.map(({ events }) => JSON.stringify(events))).size).toBe(1);
    expect(await store.readAll({ limit: 10 })).toHaveLength(1);
  });

  it('decides again from the current events after a conflict', async () => {
    const store = new FaultyStore();
    const command = newToggle(store);
    store.faults.push(async (append) => {
      await handleCommand({ ...command, commandId: randomUUID() });
      return append();
    });
    expect((await handleCommand(command)).events).toMatchObject([{ type: 'SwitchedOff', revision: 1 }]);
  });

  it('gives up after a bounded number of conflicts', async () => {
    const store = new FaultyStore();
    store.faults.push(
      ...Array.from({ length: 50 }, () => async () => [{ kind: 'conflict', actualRevision: 3 } as const]),
    );
    await expect(handleCommand(newToggle(store))).rejects.toThrow(ConcurrencyError);
    expect(store.faults.length).toBeGreaterThan(40);
  });

  it('resends the same events when the outcome of an append is unknown', async () => {
    const store = new FaultyStore();
    const command = newToggle(store);
    store.faults.push(async (append) => (await append(), lost()), lost);
    // A frozen clock, so that a slow machine does not exceed the retry window.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    try {
      const { events } = await handleCommand(command);
      expect(events).toMatchObject([{ type: 'SwitchedOn', revision: 0 }]);
      expect(await store.readAll({ limit: 10 })).toEqual(events);
    } finally {
      clock.mockRestore();
    }
  });

  it('throws when the store stays unavailable', async () => {
    const store = new FaultyStore();
    store.faults.push(...Array.from({ length: 50 }, () => lost));
    await expect(handleCommand(newToggle(store))).rejects.toThrow(EventStoreUnavailableError);
    expect(store.faults.length).toBeGreaterThan(40);
  });

  it('does not retry beyond the retry window when the store fails slowly', async () => {
    const store = new FaultyStore();
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    store.faults.push(
      ...Array.from({ length: 4 }, () => () => {
        now += 2_500;
        return lost();
      }),
    );
    try {
      await expect(handleCommand(newToggle(store))).rejects.toThrow(EventStoreUnavailableError);
      expect(store.faults).toHaveLength(3);
    } finally {
      clock.mockRestore();
    }
  });

  it.each([undefined, { streamId: 'x', events: [] }])(
    'appends nothing for an empty decision: %j',
    async (decision) => {
      const store = new InMemoryEventStore();
      const result = await handleCommand({ ...newToggle(store), decide: () => decision });
      expect(result).toEqual({ events: [], position: undefined, duplicate: false });
      expect(await store.head()).toBeUndefined();
    },
  );

  it('returns all events of a decision with their own positions and ids', async () => {
    const command = newToggle(new InMemoryEventStore());
    const event = { type: 'Counted', data: {} };
    const streamId = command.streamIds[0] ?? '';
    const { events, position } = await handleCommand({
      ...command,
      decide: () => ({ streamId, events: [event, event, event] }),
    });
    expect(events.map(({ revision }) => revision)).toEqual([0, 1, 2]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
    expect(position).toBe(events[2]?.position);
  });

  it('rethrows the error of a decision and rejects a stream that was not loaded', async () => {
    const command = newToggle(new InMemoryEventStore());
    const refuse = (): never => {
      throw new Error('not allowed');
    };
    await expect(handleCommand({ ...command, decide: refuse })).rejects.toThrow('not allowed');
    const decide = (): never => toggle('other', new Map()) as never;
    await expect(handleCommand({ ...command, decide })).rejects.toThrow(/other.*not loaded/);
  });
});

import { setTimeout as delay } from 'node:timers/promises';
import { v5 as uuidv5 } from 'uuid';
import {
  type AppendOutcome,
  type EventStore,
  EventStoreUnavailableError,
  type JsonObject,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from './port.js';
import {
  keepSnapshots,
  lastEventOf,
  type Loaded,
  type LoadedStreams,
  loadStreams,
  mayHold,
  type Snapshots,
  type StreamBases,
} from './stream-snapshots.js';

const EVENT_ID_NAMESPACE = '5f0c2b3e-6d0e-5b52-9c5e-0d7c1c9a4b11';
const MAX_DECISIONS = 6;
const MAX_SENDS = 4;
/** A store that takes longer to say that it is away has tried again by itself, and somebody waits. */
const SENDS_WITHIN_MS = 1_000;
const MAX_FIRST_PAUSE_MS = 5;

/** What a decision says about an event; its id comes from the command's. */
export interface DecidedEvent {
  readonly type: string;
  readonly data: JsonObject;
}

export interface Decision {
  /** One of the loaded streams: a decision appends to one stream, at the revision that it was made from. */
  readonly streamId: string;
  readonly events: readonly DecidedEvent[];
}

export interface HandleCommandOptions {
  readonly store: EventStore;
  /** The streams that the decision needs. */
  readonly streamIds: readonly string[];
  readonly commandId: string;
  /** Goes with every event, `commandId` beside it. */
  readonly metadata: JsonObject;
  /** Pure, since it runs again after a conflict. Nothing (or no events) means that there is nothing to do. */
  readonly decide: (
    streams: LoadedStreams,
    bases: StreamBases,
  ) => Decision | undefined | Promise<Decision | undefined>;
  /** Left out, every stream is read as a whole. */
  readonly snapshots?: Snapshots;
}

export interface CommandResult {
  readonly events: readonly RecordedEvent[];
  /** Of the last event; undefined where nothing was to be done. */
  readonly position: Position | undefined;
  /** The command had been handled before: these are the events of then. */
  readonly duplicate: boolean;
}

/** Others kept changing the stream for as many times as a decision was made. */
export class ConcurrencyError extends Error {
  override readonly name = 'ConcurrencyError';
}

/** Load, decide, append; decide again when another append came between, and send again when the store did not answer. */
export async function handleCommand(options: HandleCommandOptions): Promise<CommandResult> {
  const { store, streamIds, commandId, decide } = options;
  let snapshots = options.snapshots;
  for (let attempt = 0; attempt < MAX_DECISIONS; attempt++) {
    if (attempt > 0) await pause(attempt);
    const loaded = await loadFor(commandId, store, streamIds, snapshots);
    const earlier = eventsOfCommand(loaded.streams, commandId);
    if (earlier.length > 0) return { events: earlier, position: earlier.at(-1)?.position, duplicate: true };

    const decision = await decide(loaded.streams, loaded.bases);
    if (decision === undefined || decision.events.length === 0) {
      if (snapshots) await keepSnapshots(loaded, [], snapshots);
      return { events: [], position: undefined, duplicate: false };
    }
    const events = eventsOf(decision, options);
    const expected = expectedRevision(decision.streamId, loaded);
    const outcome = await send(store, decision.streamId, expected, events);
    if (outcome.kind === 'appended') {
      const result = await resultOf(store, decision.streamId, events, outcome);
      if (snapshots) await keepSnapshots(loaded, result.events, snapshots);
      return result;
    }
    // Nobody came between, so it is the events that the store knows: the command was handled before what its snapshot remembers.
    if (outcome.actualRevision === expected) snapshots = undefined;
  }
  throw new ConcurrencyError(`command ${commandId} met a conflict ${MAX_DECISIONS} times`);
}

/** Where what is before a snapshot may have come from this very command, it is read. */
async function loadFor(
  commandId: string,
  store: EventStore,
  streamIds: readonly string[],
  snapshots: Snapshots | undefined,
): Promise<Loaded> {
  const loaded = await loadStreams(store, streamIds, snapshots);
  return mayHold(loaded, commandId) ? loadStreams(store, streamIds) : loaded;
}

/** A toggle repeated must not toggle back, so a command that is in the log is not decided again. */
function eventsOfCommand(streams: LoadedStreams, commandId: string): RecordedEvent[] {
  for (const events of streams.values()) {
    const earlier = events.filter(({ metadata }) => metadata['commandId'] === commandId);
    if (earlier.length > 0) return earlier;
  }
  return [];
}

/** The same ids for the same command, however often it is sent: the store writes them once. */
function eventsOf({ events }: Decision, { commandId, metadata }: HandleCommandOptions): NewEvent[] {
  return events.map(({ type, data }, index) => ({
    id: uuidv5(`${commandId}:${index}`, EVENT_ID_NAMESPACE),
    type,
    data,
    metadata: { ...metadata, commandId },
  }));
}

function expectedRevision(streamId: string, loaded: Loaded): number | 'no-stream' {
  if (!loaded.streams.has(streamId))
    throw new TypeError(`decided on stream ${streamId}, which was not loaded`);
  return lastEventOf(loaded, streamId)?.revision ?? 'no-stream';
}

async function send(
  store: EventStore,
  streamId: string,
  expected: number | 'no-stream',
  events: readonly NewEvent[],
): Promise<AppendOutcome> {
  const end = performance.now() + SENDS_WITHIN_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      const [outcome] = await store.append([{ streamId, expectedRevision: expected, events }]);
      if (outcome === undefined) throw new TypeError('the store gave no outcome');
      return outcome;
    } catch (error) {
      const isAway = error instanceof EventStoreUnavailableError;
      if (!isAway || attempt === MAX_SENDS || performance.now() > end) throw error;
      await pause(attempt * 4);
    }
  }
}

async function resultOf(
  store: EventStore,
  streamId: string,
  events: readonly NewEvent[],
  outcome: Extract<AppendOutcome, { kind: 'appended' }>,
): Promise<CommandResult> {
  const { position, revision } = outcome;
  const fromRevision = revision - events.length + 1;
  if (events.length === 1 && !outcome.duplicate) {
    return {
      events: events.map((event) => ({ ...event, streamId, revision, position })),
      position,
      duplicate: false,
    };
  }
  // Positions between are the store's own, and a duplicate may have been written with another time than ours.
  const written = await store.readStream(streamId, { fromRevision, limit: events.length });
  return { events: written, position, duplicate: outcome.duplicate };
}

/** A few jittered milliseconds: long enough that two rivals part, short enough that nobody notices. */
async function pause(attempt: number): Promise<void> {
  await delay(Math.random() * MAX_FIRST_PAUSE_MS * 2 ** Math.min(attempt - 1, 5));
}

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
  saveSnapshots,
  lastEventOf,
  type Loaded,
  type LoadedStreams,
  loadStreams,
  mayContainCommand,
  type Snapshots,
  type StreamBases,
} from './stream-snapshots.js';

const EVENT_ID_NAMESPACE = '5f0c2b3e-6d0e-5b52-9c5e-0d7c1c9a4b11';
const MAX_ATTEMPTS = 6;
const MAX_SEND_ATTEMPTS = 4;
/** A store that fails more slowly has already retried itself, and the caller is waiting. */
const RETRY_WINDOW_MS = 1_000;
const MAX_FIRST_BACKOFF_MS = 5;

/** An event without its id, which is derived from the command id. */
export interface DecidedEvent {
  readonly type: string;
  readonly data: JsonObject;
}

export interface Decision {
  /** One of the loaded streams: a decision appends to one stream, at the revision it was based on. */
  readonly streamId: string;
  readonly events: readonly DecidedEvent[];
}

export interface HandleCommandOptions {
  readonly store: EventStore;
  /** Streams the decision reads. */
  readonly streamIds: readonly string[];
  readonly commandId: string;
  /** Added to every event together with `commandId`. */
  readonly metadata: JsonObject;
  /** Must be pure, since it runs again after a conflict. Undefined or no events mean nothing to do. */
  readonly decide: (
    streams: LoadedStreams,
    bases: StreamBases,
  ) => Decision | undefined | Promise<Decision | undefined>;
  /** Without snapshots, every stream is read in full. */
  readonly snapshots?: Snapshots;
}

export interface CommandResult {
  readonly events: readonly RecordedEvent[];
  /** Position of the last event; undefined if there was nothing to do. */
  readonly position: Position | undefined;
  /** The command was handled earlier; these are the events it appended then. */
  readonly duplicate: boolean;
}

/** Every attempt at the command met a conflicting append. */
export class ConcurrencyError extends Error {
  override readonly name = 'ConcurrencyError';
}

/**
 * Loads the streams, decides and appends. Decides again after a conflict, and resends when the store does not answer.
 * @throws ConcurrencyError after too many conflicts
 * @throws EventStoreUnavailableError
 */
export async function handleCommand(options: HandleCommandOptions): Promise<CommandResult> {
  const { store, streamIds, commandId, decide } = options;
  let snapshots = options.snapshots;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (attempt > 0) await backOff(attempt);
    const loaded = await loadFor(commandId, store, streamIds, snapshots);
    const earlier = eventsOfCommand(loaded.streams, commandId);
    if (earlier.length > 0) return { events: earlier, position: earlier.at(-1)?.position, duplicate: true };

    const decision = await decide(loaded.streams, loaded.bases);
    if (decision === undefined || decision.events.length === 0) {
      if (snapshots) await saveSnapshots(loaded, [], snapshots);
      return { events: [], position: undefined, duplicate: false };
    }
    const events = eventsOf(decision, options);
    const expected = expectedRevision(decision.streamId, loaded);
    const outcome = await send(store, decision.streamId, expected, events);
    if (outcome.kind === 'appended') {
      const result = await resultOf(store, decision.streamId, events, outcome);
      if (snapshots) await saveSnapshots(loaded, result.events, snapshots);
      return result;
    }
    // No other append came in between, so the store already knows these event ids: the command is older than the snapshot remembers.
    if (outcome.actualRevision === expected) snapshots = undefined;
  }
  throw new ConcurrencyError(`command ${commandId} conflicted ${MAX_ATTEMPTS} times`);
}

/** Reads the streams in full if an event before a snapshot may come from this command. */
async function loadFor(
  commandId: string,
  store: EventStore,
  streamIds: readonly string[],
  snapshots: Snapshots | undefined,
): Promise<Loaded> {
  const loaded = await loadStreams(store, streamIds, snapshots);
  return mayContainCommand(loaded, commandId) ? loadStreams(store, streamIds) : loaded;
}

/** A repeated toggle must not toggle back, so a command that is already in the log is not decided again. */
function eventsOfCommand(streams: LoadedStreams, commandId: string): RecordedEvent[] {
  for (const events of streams.values()) {
    const earlier = events.filter(({ metadata }) => metadata['commandId'] === commandId);
    if (earlier.length > 0) return earlier;
  }
  return [];
}

/** The same command always gets the same event ids, so the store writes them once. */
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
  const end = performance.now() + RETRY_WINDOW_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      const [outcome] = await store.append([{ streamId, expectedRevision: expected, events }]);
      if (outcome === undefined) throw new TypeError('the store returned no outcome');
      return outcome;
    } catch (error) {
      const isUnavailable = error instanceof EventStoreUnavailableError;
      if (!isUnavailable || attempt === MAX_SEND_ATTEMPTS || performance.now() > end) throw error;
      await backOff(attempt * 4);
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
  // Only the store knows the positions in between, and a duplicate may carry other metadata than ours.
  const written = await store.readStream(streamId, { fromRevision, limit: events.length });
  return { events: written, position, duplicate: outcome.duplicate };
}

/** Jittered backoff of a few milliseconds: enough to separate two competing writers. */
async function backOff(attempt: number): Promise<void> {
  await delay(Math.random() * MAX_FIRST_BACKOFF_MS * 2 ** Math.min(attempt - 1, 5));
}

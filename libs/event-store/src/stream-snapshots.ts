import type { EventStore, JsonObject, RecordedEvent, SnapshotStreams, StreamSnapshot } from './port.js';

export type { StreamSnapshot } from './port.js';

/** Storage of snapshots. */
export interface SnapshotStore {
  read(streamIds: readonly string[]): Promise<readonly StreamSnapshot[]>;
  write(snapshots: readonly StreamSnapshot[]): Promise<void>;
}

/** Folds the events of a kind of stream into its state, which must be JSON. */
export interface StreamFold {
  /** Must change whenever the same events fold into a different state. */
  readonly shape: string;
  readonly fold: (state: JsonObject | undefined, events: readonly RecordedEvent[]) => JsonObject | undefined;
}

export interface Snapshots {
  readonly store: SnapshotStore;
  /** Undefined for streams that are always read in full. */
  readonly foldOf: (streamId: string) => StreamFold | undefined;
  /** Called when snapshots cannot be read or written. Commands continue without them. */
  readonly onError?: (error: unknown) => void;
}

/** State of a stream before the events that were read. */
export interface StreamBase {
  readonly state: JsonObject;
  readonly last: RecordedEvent;
  readonly commands: string;
}

/** Events of each stream in revision order, after its base if it has one. */
export type LoadedStreams = ReadonlyMap<string, readonly RecordedEvent[]>;
export type StreamBases = ReadonlyMap<string, StreamBase>;

export interface Loaded {
  readonly streams: LoadedStreams;
  readonly bases: StreamBases;
}

/** A snapshot is worth writing if it saves the next reader this much. */
const MIN_SAVED_EVENTS = 32;
const MIN_SAVED_CHARACTERS = 32_768;
const COMMAND_PREFIX_LENGTH = 8;
const MAX_REMEMBERED_COMMANDS = 256;

const NO_BASES: StreamBases = new Map();

/** Loads streams from their snapshots onwards, which takes a second round trip unless the store keeps both. */
export async function loadStreams(
  store: EventStore,
  streamIds: readonly string[],
  snapshots?: Snapshots,
): Promise<Loaded> {
  const { streams: read, snapshots: found } = await readStreamsAndSnapshots(store, streamIds, snapshots);
  if (found.length === 0) return { streams: read, bases: NO_BASES };
  const streams = new Map<string, readonly RecordedEvent[]>(read);
  const bases = new Map<string, StreamBase>();
  for (const { streamId, eventId, state, commands } of found) {
    const [last, ...since] = read.get(streamId) ?? [];
    if (last?.id === eventId) {
      bases.set(streamId, { state, last, commands });
      streams.set(streamId, since);
    } else {
      streams.set(streamId, await store.readStream(streamId));
    }
  }
  return { streams, bases };
}

async function readStreamsAndSnapshots(
  store: EventStore,
  streamIds: readonly string[],
  snapshots: Snapshots | undefined,
): Promise<SnapshotStreams> {
  if (!snapshots) return { streams: await store.readStreams(streamIds), snapshots: [] };
  if (store.readFromSnapshots) {
    const shapes = new Map(streamIds.map((streamId) => [streamId, snapshots.foldOf(streamId)?.shape]));
    try {
      return await store.readFromSnapshots(shapes);
    } catch (error) {
      // An unreachable log fails again on the next line.
      snapshots.onError?.(error);
      return { streams: await store.readStreams(streamIds), snapshots: [] };
    }
  }
  const found = await readSnapshots(streamIds, snapshots);
  const from = new Map(found.map(({ streamId, revision }) => [streamId, revision]));
  return {
    streams: await store.readStreams(streamIds, found.length > 0 ? from : undefined),
    snapshots: found,
  };
}

async function readSnapshots(
  streamIds: readonly string[],
  { store, foldOf, onError }: Snapshots,
): Promise<StreamSnapshot[]> {
  const requested = [...new Set(streamIds)].filter((streamId) => foldOf(streamId));
  if (requested.length === 0) return [];
  try {
    const found = await store.read(requested);
    return found.filter(({ streamId, shape }) => foldOf(streamId)?.shape === shape);
  } catch (error) {
    onError?.(error);
    return [];
  }
}

/** Undefined for an empty stream. */
export const lastEventOf = ({ streams, bases }: Loaded, streamId: string): RecordedEvent | undefined =>
  streams.get(streamId)?.at(-1) ?? bases.get(streamId)?.last;

const commandIdOf = ({ commandId }: JsonObject): string => (typeof commandId === 'string' ? commandId : '');
const prefixOf = (commandId: string): string => commandId.slice(0, COMMAND_PREFIX_LENGTH);

/** Whether an event before the base may come from the command; the stream must then be read in full. */
export function mayContainCommand({ bases }: Loaded, commandId: string): boolean {
  const prefix = prefixOf(commandId);
  for (const { commands } of bases.values()) {
    for (let at = 0; at < commands.length; at += COMMAND_PREFIX_LENGTH)
      if (commands.startsWith(prefix, at)) return true;
  }
  return false;
}

/** Writes a snapshot of each stream if that saves the next reader enough. `appended` are the events written since loading. */
export async function saveSnapshots(
  loaded: Loaded,
  appended: readonly RecordedEvent[],
  { store, foldOf, onError }: Snapshots,
): Promise<void> {
  try {
    const due = [...loaded.streams].flatMap(([streamId, since]) => {
      const fold = foldOf(streamId);
      const tail = [...since, ...appended.filter((event) => event.streamId === streamId)];
      const snapshot = fold && snapshotOf(streamId, loaded.bases.get(streamId), tail, fold);
      return snapshot ? [snapshot] : [];
    });
    if (due.length > 0) await store.write(due);
  } catch (error) {
    onError?.(error);
  }
}

function snapshotOf(
  streamId: string,
  base: StreamBase | undefined,
  tail: readonly RecordedEvent[],
  { shape, fold }: StreamFold,
): StreamSnapshot | undefined {
  const last = tail.at(-1);
  if (last === undefined || !isWorthSaving(base ? [base.last, ...tail] : tail)) return undefined;
  const state = fold(base?.state, tail);
  if (state === undefined) return undefined;
  const commands = tail.map(({ metadata }) => prefixOf(commandIdOf(metadata)).padEnd(COMMAND_PREFIX_LENGTH));
  const remembered = `${base?.commands ?? ''}${commands.join('')}`;
  return {
    streamId,
    shape,
    revision: last.revision,
    eventId: last.id,
    state,
    commands: remembered.slice(-COMMAND_PREFIX_LENGTH * MAX_REMEMBERED_COMMANDS),
  };
}

/** The last event is read even with a snapshot; only the ones before it are saved. */
function isWorthSaving(events: readonly RecordedEvent[]): boolean {
  const spared = events.slice(0, -1);
  if (spared.length >= MIN_SAVED_EVENTS) return true;
  let characters = 0;
  for (const { data } of spared) {
    for (const value of Object.values(data)) if (typeof value === 'string') characters += value.length;
  }
  return characters >= MIN_SAVED_CHARACTERS;
}

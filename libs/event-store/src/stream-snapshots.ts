import type { EventStore, JsonObject, RecordedEvent, SnapshotStreams, StreamSnapshot } from './port.js';

export type { StreamSnapshot } from './port.js';

/** Where snapshots are kept. */
export interface SnapshotStore {
  read(streamIds: readonly string[]): Promise<readonly StreamSnapshot[]>;
  write(snapshots: readonly StreamSnapshot[]): Promise<void>;
}

/** How the events of a kind of stream become its state, which must be JSON. */
export interface StreamFold {
  /** Another name whenever the same events give another state. */
  readonly shape: string;
  readonly fold: (state: JsonObject | undefined, events: readonly RecordedEvent[]) => JsonObject | undefined;
}

export interface Snapshots {
  readonly store: SnapshotStore;
  /** Undefined for streams that are always read as a whole. */
  readonly foldOf: (streamId: string) => StreamFold | undefined;
  /** A snapshot that could not be read or written: all goes on without it. */
  readonly onError?: (error: unknown) => void;
}

/** What was before the events that were read. */
export interface StreamBase {
  readonly state: JsonObject;
  readonly last: RecordedEvent;
  readonly commands: string;
}

/** Events of each stream in revision order; those after its base where it has one. */
export type LoadedStreams = ReadonlyMap<string, readonly RecordedEvent[]>;
export type StreamBases = ReadonlyMap<string, StreamBase>;

export interface Loaded {
  readonly streams: LoadedStreams;
  readonly bases: StreamBases;
}

/** As much as is worth being spared to the next reader. */
const SPARED_EVENTS = 32;
const SPARED_CHARACTERS = 32_768;
const COMMAND_CHARACTERS = 8;
const REMEMBERED_COMMANDS = 256;

const NO_BASES: StreamBases = new Map();

/** The streams from their snapshots on, in one round trip more unless the store has both. Without snapshots, all of their events. */
export async function loadStreams(
  store: EventStore,
  streamIds: readonly string[],
  snapshots?: Snapshots,
): Promise<Loaded> {
  const { streams: read, kept } = await readBoth(store, streamIds, snapshots);
  if (kept.length === 0) return { streams: read, bases: NO_BASES };
  const streams = new Map<string, readonly RecordedEvent[]>(read);
  const bases = new Map<string, StreamBase>();
  for (const { streamId, eventId, state, commands } of kept) {
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

async function readBoth(
  store: EventStore,
  streamIds: readonly string[],
  snapshots: Snapshots | undefined,
): Promise<SnapshotStreams> {
  if (!snapshots) return { streams: await store.readStreams(streamIds), kept: [] };
  if (store.readFromSnapshots) {
    const shapes = new Map(streamIds.map((streamId) => [streamId, snapshots.foldOf(streamId)?.shape]));
    try {
      return await store.readFromSnapshots(shapes);
    } catch (error) {
      // A log that cannot be reached will say so again.
      snapshots.onError?.(error);
      return { streams: await store.readStreams(streamIds), kept: [] };
    }
  }
  const kept = await readKept(streamIds, snapshots);
  const from = new Map(kept.map(({ streamId, revision }) => [streamId, revision]));
  return { streams: await store.readStreams(streamIds, kept.length > 0 ? from : undefined), kept };
}

async function readKept(
  streamIds: readonly string[],
  { store, foldOf, onError }: Snapshots,
): Promise<StreamSnapshot[]> {
  const wanted = [...new Set(streamIds)].filter((streamId) => foldOf(streamId));
  if (wanted.length === 0) return [];
  try {
    const kept = await store.read(wanted);
    return kept.filter(({ streamId, shape }) => foldOf(streamId)?.shape === shape);
  } catch (error) {
    onError?.(error);
    return [];
  }
}

/** Revision of the last event; undefined for a stream without any. */
export const lastEventOf = ({ streams, bases }: Loaded, streamId: string): RecordedEvent | undefined =>
  streams.get(streamId)?.at(-1) ?? bases.get(streamId)?.last;

const commandIdOf = ({ commandId }: JsonObject): string => (typeof commandId === 'string' ? commandId : '');
const shortOf = (commandId: string): string => commandId.slice(0, COMMAND_CHARACTERS);

/** Whether an event before the base may come from the command: then the stream has to be read as a whole. */
export function mayHold({ bases }: Loaded, commandId: string): boolean {
  const short = shortOf(commandId);
  for (const { commands } of bases.values()) {
    for (let at = 0; at < commands.length; at += COMMAND_CHARACTERS)
      if (commands.startsWith(short, at)) return true;
  }
  return false;
}

/** Takes snapshots of those streams whose next reader is spared something worth it. `appended` came to the loaded ones. */
export async function keepSnapshots(
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
  if (last === undefined || !isWorthIt(base ? [base.last, ...tail] : tail)) return undefined;
  const state = fold(base?.state, tail);
  if (state === undefined) return undefined;
  const commands = tail.map(({ metadata }) => shortOf(commandIdOf(metadata)).padEnd(COMMAND_CHARACTERS));
  const remembered = `${base?.commands ?? ''}${commands.join('')}`;
  return {
    streamId,
    shape,
    revision: last.revision,
    eventId: last.id,
    state,
    commands: remembered.slice(-COMMAND_CHARACTERS * REMEMBERED_COMMANDS),
  };
}

/** The last event is read with every snapshot: only those before it are spared. */
function isWorthIt(events: readonly RecordedEvent[]): boolean {
  const spared = events.slice(0, -1);
  if (spared.length >= SPARED_EVENTS) return true;
  let characters = 0;
  for (const { data } of spared) {
    for (const value of Object.values(data)) if (typeof value === 'string') characters += value.length;
  }
  return characters >= SPARED_CHARACTERS;
}

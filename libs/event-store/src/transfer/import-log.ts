import { hash } from 'node:crypto';
import {
  canonicalEvent,
  type ChainTip,
  EMPTY_CHAIN,
  HASH_BYTES,
  hashOf,
  leafOf,
  nextHead,
  type StoredEvent,
} from '../integrity/event-chain.js';
import type { Append, EventStore, NewEvent, RecordedEvent } from '../port.js';
import {
  LOG_FILE_FORMAT,
  LogDiffersError,
  type LogFileHeader,
  type LogFileLine,
  parseLogFileLine,
} from './export-log.js';

const BUCKETS = 65_536;

/**
 * The chain of every stream by itself, in the memory of a few megabytes however many streams there are: streams share 65,536 chains
 * by their names. Two logs have the same digest where each stream has the same events in the same order.
 */
export class StreamHeads {
  private readonly heads = Buffer.alloc(BUCKETS * HASH_BYTES);
  private streamCount = 0;

  constructor() {
    for (let bucket = 0; bucket < BUCKETS; bucket++) EMPTY_CHAIN.head.copy(this.heads, bucket * HASH_BYTES);
  }

  take({ streamId, revision }: { readonly streamId: string; readonly revision: number }, leaf: Buffer): void {
    if (revision === 0) this.streamCount += 1;
    const start = bucketOf(streamId) * HASH_BYTES;
    nextHead(this.heads.subarray(start, start + HASH_BYTES), leaf).copy(this.heads, start);
  }

  get streams(): number {
    return this.streamCount;
  }

  digest(): string {
    return hash('sha256', this.heads);
  }
}

/** FNV-1a: it has to spread, not to resist anybody, since what is compared are the chains. */
function bucketOf(streamId: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < streamId.length; index++)
    value = Math.imul(value ^ streamId.charCodeAt(index), 0x01000193);
  return (value ^ (value >>> 16)) & (BUCKETS - 1);
}

/** What one call may hold so that the store keeps its order: see AppendQueue, and the limits of an append. */
const MAX_STREAMS = 64;
const MAX_BYTES = 750_000;
const MAX_EVENTS = 1_000;

interface Run {
  readonly streamId: string;
  readonly firstRevision: number;
  readonly events: NewEvent[];
}

/** Brings events into a log in exactly the order given. */
export class AppendBatches {
  private readonly log: EventStore;
  private readonly isOrdered: boolean;
  private runs = new Map<string, Run>();
  private lastStream: string | undefined;
  private bytes = 0;
  private events = 0;
  private written: Promise<void> = Promise.resolve();

  /** @param isOrdered whether the store keeps the order of appends to several streams that are made in one call */
  constructor(log: EventStore, isOrdered: boolean) {
    this.log = log;
    this.isOrdered = isOrdered;
  }

  async push({ streamId, revision, id, type, data, metadata }: StoredEvent, bytes: number): Promise<void> {
    const run = this.runs.get(streamId);
    const continues = run !== undefined && this.lastStream === streamId;
    const isFull = this.bytes + bytes > MAX_BYTES || this.events >= MAX_EVENTS;
    // A stream that comes back later would be put off or put forward, so what is there goes first.
    if (isFull || (run && !continues) || (!run && this.runs.size >= this.mostStreams())) await this.flush();
    const open = this.runs.get(streamId) ?? { streamId, firstRevision: revision, events: [] };
    this.runs.set(streamId, open);
    open.events.push({ id, type, data, metadata });
    this.lastStream = streamId;
    this.bytes += bytes;
    this.events += 1;
  }

  /** Starts writing what is there, after what was started before. */
  async flush(): Promise<void> {
    const appends = [...this.runs.values()].map(appendOf);
    this.runs = new Map();
    this.bytes = 0;
    this.events = 0;
    await this.written;
    if (appends.length > 0) {
      this.written = this.write(appends);
      // Awaited by the next flush; a failure before that must not count as unhandled.
      this.written.catch(() => undefined);
    }
  }

  async end(): Promise<void> {
    await this.flush();
    await this.written;
  }

  private mostStreams(): number {
    return this.isOrdered ? MAX_STREAMS : 1;
  }

  private async write(appends: readonly Append[]): Promise<void> {
    const outcomes = await this.log.append(appends);
    const index = outcomes.findIndex(({ kind }) => kind === 'conflict');
    if (index < 0) return;
    throw new LogDiffersError(
      `${appends[index]?.streamId} is not at the revision that is expected: somebody else writes to this log. Run it again to see what differs.`,
    );
  }
}

function appendOf({ streamId, firstRevision, events }: Run): Append {
  return { streamId, expectedRevision: firstRevision === 0 ? 'no-stream' : firstRevision - 1, events };
}

interface ImportLogOptions {
  readonly log: EventStore;
  /** Lines of an exported log. */
  readonly lines: AsyncIterable<Uint8Array>;
  /** Whether the store keeps the order of appends to several streams that are made in one call. */
  readonly isOrdered: boolean;
  readonly onProgress?: (ordinal: number, of: number) => void;
  readonly signal?: AbortSignal;
}

export interface ImportReport {
  readonly events: number;
  /** Events that an earlier, interrupted import had brought in. */
  readonly wereThere: number;
  readonly head: string;
}

/** @throws LogDiffersError at the first line that does not fit, or at the end */
export async function* checkedEvents(lines: AsyncIterable<Uint8Array>): AsyncGenerator<{
  header: LogFileHeader;
  ordinal: number;
  event: StoredEvent;
  bytes: number;
  tip: ChainTip;
}> {
  let number = 0;
  let header: LogFileHeader | undefined;
  let tip: ChainTip = EMPTY_CHAIN;
  let isWhole = false;
  for await (const bytes of lines) {
    const line = parseLogFileLine(bytes, ++number);
    if (isWhole) throw new LogDiffersError(`Line ${number} comes after the end of the log.`);
    if (header === undefined) header = headerOf(line);
    else if (line.kind === 'end') {
      for (const said of [line.end, header]) assertLeadsTo(tip, said);
      isWhole = true;
    } else {
      const next = tip.ordinal + 1;
      if (line.kind !== 'event' || line.ordinal !== next)
        throw new LogDiffersError(
          `Line ${number} should be the event with ordinal ${next}: lines are missing, doubled or in another order.`,
        );
      const head = nextHead(tip.head, leafOf(canonicalEvent(next, line.event)));
      tip = { ordinal: next, head };
      yield { header, ordinal: next, event: line.event, bytes: bytes.length, tip };
    }
  }
  if (!isWhole)
    throw new LogDiffersError(`The file ends with ordinal ${tip.ordinal}, before its end: it is cut off.`);
}

function headerOf(line: LogFileLine): LogFileHeader {
  if (line.kind !== 'header')
    throw new LogDiffersError(`The first line is no header of a log (${LOG_FILE_FORMAT}).`);
  return line.header;
}

function assertLeadsTo(
  tip: ChainTip,
  { events, head }: { readonly events: number; readonly head: string },
): void {
  if (events === tip.ordinal && head === tip.head.toString('hex')) return;
  throw new LogDiffersError(
    `The ${tip.ordinal} events of the file lead to the head ${tip.head.toString('hex')}, and it says ${events} events and ${head}: one was changed.`,
  );
}

/**
 * Brings an exported log into an empty one, in its order and with its ids, and reads it back. Where the log has the beginning of the
 * file already, because an import was interrupted, it goes on from there.
 */
export async function importLog(options: ImportLogOptions): Promise<ImportReport> {
  const { log, lines, isOrdered, onProgress, signal } = options;
  const present = eventsOf(log);
  const batches = new AppendBatches(log, isOrdered);
  let wereThere = 0;
  let tip: ChainTip = EMPTY_CHAIN;
  let isBehind = true;
  for await (const { header, ordinal, event, bytes, tip: now } of checkedEvents(lines)) {
    signal?.throwIfAborted();
    const known: IteratorResult<RecordedEvent, undefined> = isBehind
      ? await present.next()
      : { done: true, value: undefined };
    if (known.value !== undefined) {
      if (!hashOf(tip, known.value)?.head.equals(now.head)) throw notOurs(ordinal);
      wereThere += 1;
    } else {
      isBehind = false;
      await batches.push(event, bytes);
    }
    tip = now;
    if (ordinal % 1000 === 0 || ordinal === header.events) onProgress?.(ordinal, header.events);
  }
  await batches.end();
  await readBack(log, tip);
  return { events: tip.ordinal, wereThere, head: tip.head.toString('hex') };
}

const notOurs = (ordinal: number): LogDiffersError =>
  new LogDiffersError(
    `The log is not empty and is not the beginning of this file: ordinal ${ordinal} is another event.`,
  );

async function readBack(log: EventStore, wanted: ChainTip): Promise<void> {
  let tip: ChainTip = EMPTY_CHAIN;
  for await (const event of eventsOf(log)) {
    const link = hashOf(tip, event);
    if (!link) break;
    tip = link;
  }
  if (tip.ordinal === wanted.ordinal && tip.head.equals(wanted.head)) return;
  throw new LogDiffersError(
    `The log has ${tip.ordinal} events now, the file ${wanted.ordinal}, or they differ: something else wrote to it. Begin again with an empty one.`,
  );
}

async function* eventsOf(log: EventStore): AsyncGenerator<RecordedEvent, undefined> {
  for (let after: string | undefined; ;) {
    const page = await log.readAll({ ...(after !== undefined && { after }), limit: 250 });
    yield* page;
    after = page.at(-1)?.position;
    if (after === undefined) return undefined;
  }
}

import { hash } from 'node:crypto';
import {
  canonicalEvent,
  type ChainTip,
  EMPTY_CHAIN,
  HASH_BYTES,
  tryLinkOf,
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
 * Hash chains per stream, bucketed into 65,536 chains to use constant memory (2 MiB). Two logs have the same digest if each stream has the
 * same events in the same order.
 */
export class StreamHeads {
  private readonly heads = Buffer.alloc(BUCKETS * HASH_BYTES);
  private streamCount = 0;

  constructor() {
    for (let bucket = 0; bucket < BUCKETS; bucket++) EMPTY_CHAIN.head.copy(this.heads, bucket * HASH_BYTES);
  }

  add({ streamId, revision }: { readonly streamId: string; readonly revision: number }, leaf: Buffer): void {
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

/** FNV-1a: a fast hash is enough, since only the chains have to resist tampering. */
function bucketOf(streamId: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < streamId.length; index++)
    value = Math.imul(value ^ streamId.charCodeAt(index), 0x01000193);
  return (value ^ (value >>> 16)) & (BUCKETS - 1);
}

/** Limits of one call within which the store preserves order: see AppendQueue and APPEND_LIMITS. */
const MAX_STREAMS = 64;
const MAX_BYTES = 750_000;
const MAX_EVENTS = 1_000;

interface Run {
  readonly streamId: string;
  readonly firstRevision: number;
  readonly events: NewEvent[];
}

/** Appends events to a log in exactly the given order. */
export class AppendBatches {
  private readonly log: EventStore;
  private readonly isOrdered: boolean;
  private runs = new Map<string, Run>();
  private lastStream: string | undefined;
  private bytes = 0;
  private events = 0;
  private written: Promise<void> = Promise.resolve();

  /** @param isOrdered the store preserves the order of appends to different streams made in one call */
  constructor(log: EventStore, isOrdered: boolean) {
    this.log = log;
    this.isOrdered = isOrdered;
  }

  async push({ streamId, revision, id, type, data, metadata }: StoredEvent, bytes: number): Promise<void> {
    const run = this.runs.get(streamId);
    const continues = run !== undefined && this.lastStream === streamId;
    const isFull = this.bytes + bytes > MAX_BYTES || this.events >= MAX_EVENTS;
    // A stream that recurs would be reordered within the batch, so flush first.
    if (isFull || (run && !continues) || (!run && this.runs.size >= this.maxStreams())) await this.flush();
    const open = this.runs.get(streamId) ?? { streamId, firstRevision: revision, events: [] };
    this.runs.set(streamId, open);
    open.events.push({ id, type, data, metadata });
    this.lastStream = streamId;
    this.bytes += bytes;
    this.events += 1;
  }

  /** Starts writing the batch after the previous one has been written. */
  async flush(): Promise<void> {
    const appends = [...this.runs.values()].map(appendOf);
    this.runs = new Map();
    this.bytes = 0;
    this.events = 0;
    await this.written;
    if (appends.length > 0) {
      this.written = this.write(appends);
      // The next flush awaits it; until then a rejection must not count as unhandled.
      this.written.catch(() => undefined);
    }
  }

  async end(): Promise<void> {
    await this.flush();
    await this.written;
  }

  private maxStreams(): number {
    return this.isOrdered ? MAX_STREAMS : 1;
  }

  private async write(appends: readonly Append[]): Promise<void> {
    const outcomes = await this.log.append(appends);
    const index = outcomes.findIndex(({ kind }) => kind === 'conflict');
    if (index < 0) return;
    throw new LogDiffersError(
      `${appends[index]?.streamId} is not at the expected revision: another process is writing to this log. Run the command again to see the difference.`,
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
  /** The store preserves the order of appends to different streams made in one call. */
  readonly isOrdered: boolean;
  readonly onProgress?: (ordinal: number, of: number) => void;
  readonly signal?: AbortSignal;
}

export interface ImportReport {
  readonly events: number;
  /** Number of events imported by an earlier, interrupted run. */
  readonly existing: number;
  readonly head: string;
}

/** @throws LogDiffersError at the first invalid line, or at the end */
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
      for (const stated of [line.end, header]) assertLeadsTo(tip, stated);
      isWhole = true;
    } else {
      const next = tip.ordinal + 1;
      if (line.kind !== 'event' || line.ordinal !== next)
        throw new LogDiffersError(
          `Line ${number} should be the event with ordinal ${next}: lines are missing, duplicated or reordered.`,
        );
      const head = nextHead(tip.head, leafOf(canonicalEvent(next, line.event)));
      tip = { ordinal: next, head };
      yield { header, ordinal: next, event: line.event, bytes: bytes.length, tip };
    }
  }
  if (!isWhole)
    throw new LogDiffersError(`The file ends at ordinal ${tip.ordinal} without a trailer: it is truncated.`);
}

function headerOf(line: LogFileLine): LogFileHeader {
  if (line.kind !== 'header')
    throw new LogDiffersError(`The first line is not a log header (${LOG_FILE_FORMAT}).`);
  return line.header;
}

function assertLeadsTo(
  tip: ChainTip,
  { events, head }: { readonly events: number; readonly head: string },
): void {
  if (events === tip.ordinal && head === tip.head.toString('hex')) return;
  throw new LogDiffersError(
    `The ${tip.ordinal} events of the file lead to the head ${tip.head.toString('hex')}, but the file states ${events} events and the head ${head}: an event was changed.`,
  );
}

/**
 * Imports an exported log into an empty one, preserving order and ids, and reads it back. Continues an interrupted import.
 * @throws LogDiffersError if the file is invalid or the log is not a prefix of it
 */
export async function importLog(options: ImportLogOptions): Promise<ImportReport> {
  const { log, lines, isOrdered, onProgress, signal } = options;
  const present = eventsOf(log);
  const batches = new AppendBatches(log, isOrdered);
  let existing = 0;
  let tip: ChainTip = EMPTY_CHAIN;
  let isBehind = true;
  for await (const { header, ordinal, event, bytes, tip: now } of checkedEvents(lines)) {
    signal?.throwIfAborted();
    const known: IteratorResult<RecordedEvent, undefined> = isBehind
      ? await present.next()
      : { done: true, value: undefined };
    if (known.value !== undefined) {
      if (!tryLinkOf(tip, known.value)?.head.equals(now.head)) throw notAPrefix(ordinal);
      existing += 1;
    } else {
      isBehind = false;
      await batches.push(event, bytes);
    }
    tip = now;
    if (ordinal % 1000 === 0 || ordinal === header.events) onProgress?.(ordinal, header.events);
  }
  await batches.end();
  await verifyImport(log, tip);
  return { events: tip.ordinal, existing, head: tip.head.toString('hex') };
}

const notAPrefix = (ordinal: number): LogDiffersError =>
  new LogDiffersError(
    `The log is not empty and not a prefix of this file: ordinal ${ordinal} is a different event.`,
  );

async function verifyImport(log: EventStore, expected: ChainTip): Promise<void> {
  let tip: ChainTip = EMPTY_CHAIN;
  for await (const event of eventsOf(log)) {
    const link = tryLinkOf(tip, event);
    if (!link) break;
    tip = link;
  }
  if (tip.ordinal === expected.ordinal && tip.head.equals(expected.head)) return;
  throw new LogDiffersError(
    `The log has ${tip.ordinal} events now, the file ${expected.ordinal}, or they differ: another process wrote to the log. Start again with an empty one.`,
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

import {
  type ChainTip,
  EMPTY_CHAIN,
  leafOf,
  canonicalEvent,
  nextHead,
  type StoredEvent,
} from '../chain/event-chain.js';
import { hashOf } from '../chain/checked-link.js';
import type { EventStore, RecordedEvent } from '../port.js';
import { AppendBatches } from './append-batches.js';
import {
  LOG_FILE_FORMAT,
  LogDiffersError,
  type LogFileHeader,
  type LogFileLine,
  parseLogFileLine,
} from './log-file.js';

export interface ImportLogOptions {
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

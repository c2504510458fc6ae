import type { EventStore, JsonObject, Position } from '../port.js';
import {
  canonicalEvent,
  type ChainTip,
  EMPTY_CHAIN,
  leafOf,
  nextHead,
  type StoredEvent,
} from '../integrity/event-chain.js';
import type { SignedHead } from '../integrity/signed-head.js';
import { readPage } from '../read-page.js';

/**
 * Log file format: one JSON value per line. A header, then each event in the canonical form that its chain leaf hashes (without the
 * store-specific position), then a trailer. A file can therefore be verified on its own, and truncation is detected.
 */
export const LOG_FILE_FORMAT = 'nimo.event-log/1';
const END_FORMAT = 'nimo.event-log-end/1';

export interface LogFileHeader {
  readonly format: typeof LOG_FILE_FORMAT;
  readonly events: number;
  /** Chain head, hexadecimal. */
  readonly head: string;
  readonly signed: SignedHead;
}

interface LogFileEnd {
  readonly format: typeof END_FORMAT;
  readonly events: number;
  readonly head: string;
}

/** A log or file differs from what is expected. The message names the event if there is one. */
export class LogDiffersError extends Error {
  override readonly name = 'LogDiffersError';
}

const headerLine = (header: Omit<LogFileHeader, 'format'>): string =>
  `${JSON.stringify({ format: LOG_FILE_FORMAT, ...header })}\n`;

const endLine = (events: number, head: string): string =>
  `${JSON.stringify({ format: END_FORMAT, events, head })}\n`;

export type LogFileLine =
  | { readonly kind: 'header'; readonly header: LogFileHeader }
  | { readonly kind: 'event'; readonly ordinal: number; readonly event: StoredEvent }
  | { readonly kind: 'end'; readonly end: LogFileEnd };

/** @throws LogDiffersError naming the line */
export function parseLogFileLine(bytes: Uint8Array, number: number): LogFileLine {
  const value = jsonOf(bytes, number);
  const { format } = value;
  if (format === LOG_FILE_FORMAT) return { kind: 'header', header: value as unknown as LogFileHeader };
  if (format === END_FORMAT) return { kind: 'end', end: value as unknown as LogFileEnd };
  const { ordinal, stream, revision, id, type, data, metadata } = value;
  const isEvent =
    Number.isSafeInteger(ordinal) &&
    Number.isSafeInteger(revision) &&
    [stream, id, type].every((text) => typeof text === 'string') &&
    isObject(data) &&
    isObject(metadata);
  if (!isEvent) throw new LogDiffersError(`Line ${number} is not a log event (${LOG_FILE_FORMAT}).`);
  const event = { id, type, data, metadata, streamId: stream, revision };
  return { kind: 'event', ordinal: Number(ordinal), event: event as StoredEvent };
}

function jsonOf(bytes: Uint8Array, number: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    if (isObject(value)) return value;
  } catch {
    // Reported below, like any other line that is not an object.
  }
  throw new LogDiffersError(`Line ${number} is not a JSON object: the file is damaged or not a log file.`);
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface ExportLogOptions {
  readonly log: EventStore;
  /** Last event to export. */
  readonly tip: ChainTip;
  readonly signed: SignedHead;
  readonly onProgress?: (ordinal: number) => void;
  readonly signal?: AbortSignal;
}

const PAGE_SIZE = 1000;
const PAGE_BYTES = 8 * 2 ** 20;

/**
 * The log as text, one page at a time.
 * @throws LogDiffersError before the trailer if the events do not match the chain head
 */
export async function* exportLog({
  log,
  tip,
  signed,
  onProgress,
  signal,
}: ExportLogOptions): AsyncGenerator<string> {
  const expectedHead = tip.head.toString('hex');
  yield headerLine({ events: tip.ordinal, head: expectedHead, signed });
  let { ordinal, head } = EMPTY_CHAIN;
  let after: Position | undefined;
  while (ordinal < tip.ordinal) {
    signal?.throwIfAborted();
    const limit = Math.min(PAGE_SIZE, tip.ordinal - ordinal);
    const range = { ...(after !== undefined && { after }), limit, maxBytes: PAGE_BYTES };
    const { events: page } = await readPage(log, range);
    if (page.length === 0)
      throw new LogDiffersError(`The log ends at ordinal ${ordinal}, but its chain at ${tip.ordinal}.`);
    let text = '';
    for (const event of page) {
      const line = canonicalEvent(++ordinal, event);
      head = nextHead(head, leafOf(line));
      text += `${line}\n`;
    }
    after = page.at(-1)?.position;
    yield text;
    onProgress?.(ordinal);
  }
  if (head.toString('hex') !== expectedHead)
    throw new LogDiffersError(
      'The events do not match the chain head. Run nimo log verify to find the first mismatch.',
    );
  yield endLine(ordinal, expectedHead);
}

import type { JsonObject } from '../port.js';
import type { StoredEvent } from '../chain/event-chain.js';
import type { SignedHead } from '../chain/signed-head.js';

/**
 * A log in a file, one JSON value a line: a header, each event exactly as its leaf of the chain is computed from (without the position,
 * which is the engine's own), and an end. So a file can be checked by itself, and cut off it is not taken for whole.
 */
export const LOG_FILE_FORMAT = 'nimo.event-log/1';
const END_FORMAT = 'nimo.event-log-end/1';

export interface LogFileHeader {
  readonly format: typeof LOG_FILE_FORMAT;
  readonly events: number;
  /** Hexadecimal. */
  readonly head: string;
  readonly signed: SignedHead;
}

export interface LogFileEnd {
  readonly format: typeof END_FORMAT;
  readonly events: number;
  readonly head: string;
}

/** The log or the file is not what it should be. Where it is an event, the message names it. */
export class LogDiffersError extends Error {
  override readonly name = 'LogDiffersError';
}

export const headerLine = (header: Omit<LogFileHeader, 'format'>): string =>
  `${JSON.stringify({ format: LOG_FILE_FORMAT, ...header })}\n`;

export const endLine = (events: number, head: string): string =>
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
  if (!isEvent) throw new LogDiffersError(`Line ${number} is no event of a log (${LOG_FILE_FORMAT}).`);
  const event = { id, type, data, metadata, streamId: stream, revision };
  return { kind: 'event', ordinal: Number(ordinal), event: event as StoredEvent };
}

function jsonOf(bytes: Uint8Array, number: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    if (isObject(value)) return value;
  } catch {
    // Said below, as for any other line that is no object.
  }
  throw new LogDiffersError(`Line ${number} is not a JSON object: the file is damaged or of another kind.`);
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

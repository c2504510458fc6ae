import { linesOf } from '../chain/lines.js';
import type { ExportFormat } from './export-seal.js';

/** What a line says of its event. */
export interface LineClaim {
  readonly ordinal: number;
  readonly eventId: string;
  /** Hexadecimal. */
  readonly leaf: string;
}

const QUOTE = 0x22;
const NEWLINE = Buffer.from('\n');
/** The ordinal comes first, then at most the number of the line in its event, then the event; the leaf is last. None of them needs quotes. */
const CSV_EVENT = /^(\d{1,15}),(?:\d{1,9},)?([0-9a-f-]{36})(?:,|$)/;
const CSV_LEAF = /,([0-9a-f]{64})\r?$/;
const UUID = /^[0-9a-f-]{36}$/;
const HASH = /^[0-9a-f]{64}$/;

/** The lines of an export; in CSV a quoted cell may go on over several. */
export async function* exportedLines(
  chunks: AsyncIterable<Uint8Array>,
  format: ExportFormat,
): AsyncGenerator<Buffer> {
  let open: Buffer[] = [];
  let isInCell = false;
  for await (const line of linesOf(chunks)) {
    if (format === 'csv') {
      for (const byte of line) if (byte === QUOTE) isInCell = !isInCell;
    }
    if (isInCell) open.push(line, NEWLINE);
    else {
      yield open.length === 0 ? line : Buffer.concat([...open, line]);
      open = [];
    }
  }
  if (open.length > 0) yield Buffer.concat(open.slice(0, -1));
}

export type NamedEvent = Pick<LineClaim, 'ordinal' | 'eventId'>;

/** Undefined where the line names no event: the heading of a CSV file, or something else. */
export function namedEventOf(line: string, format: ExportFormat): NamedEvent | undefined {
  if (format === 'csv') {
    const [, ordinal, eventId] = CSV_EVENT.exec(line) ?? [];
    return ordinal === undefined || eventId === undefined ? undefined : { ordinal: Number(ordinal), eventId };
  }
  const { ordinal, eventId } = membersOf(line);
  const names = Number.isSafeInteger(ordinal) && typeof eventId === 'string' && UUID.test(eventId);
  return names ? { ordinal: Number(ordinal), eventId } : undefined;
}

/** Undefined also where there is no leaf. */
export function claimOf(line: string, format: ExportFormat): LineClaim | undefined {
  const named = namedEventOf(line, format);
  const leaf = format === 'csv' ? CSV_LEAF.exec(line)?.[1] : membersOf(line).leaf;
  return named && typeof leaf === 'string' && HASH.test(leaf) ? { ...named, leaf } : undefined;
}

function membersOf(line: string): Partial<Record<keyof LineClaim, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** By how it begins, since files are renamed. */
export const formatOf = (beginning: Uint8Array): ExportFormat => (beginning[0] === 0x7b ? 'ndjson' : 'csv');

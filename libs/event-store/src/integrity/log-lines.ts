import { createHash } from 'node:crypto';
import type { StoredEvent } from './event-chain.js';
import { linesOf } from './log-heads.js';
import type { RecordedEvent } from '../port.js';

export type ExportFormat = 'ndjson' | 'csv';

/**
 * Hash chain over the lines of an export. Proving that a line belongs to it takes only the hashes of the other lines:
 *
 *     digest(0) = SHA-256( "nimo-export-lines-v1" )
 *     digest(n) = SHA-256( 0x02 ‖ digest(n−1) ‖ SHA-256( line n, without its terminator ) )
 */
export const NO_LINES: Buffer = createHash('sha256').update('nimo-export-lines-v1').digest();

export const lineHash = (line: Uint8Array | string): Buffer => createHash('sha256').update(line).digest();

const MARK_BYTES = 4;
const INITIAL_BYTES = 1024 * MARK_BYTES;

/**
 * Four-byte hash prefixes that identify changed lines (the digest detects the change itself). Short, since exports have no line limit.
 */
export class LineMarks {
  private bytes: Buffer = Buffer.alloc(INITIAL_BYTES);
  private end = 0;

  static of(base64: string): LineMarks {
    const marks = new LineMarks();
    marks.bytes = Buffer.from(base64, 'base64');
    marks.end = marks.bytes.length;
    return marks;
  }

  add(hash: Uint8Array): void {
    if (this.end + MARK_BYTES > this.bytes.length)
      this.bytes = Buffer.concat([this.bytes], Math.max(INITIAL_BYTES, 2 * this.bytes.length));
    this.bytes.set(hash.subarray(0, MARK_BYTES), this.end);
    this.end += MARK_BYTES;
  }

  get lines(): number {
    return this.end / MARK_BYTES;
  }

  /** Prefix of a line, counted from 1; empty if there is no such line. */
  at(line: number): Buffer {
    return this.bytes.subarray((line - 1) * MARK_BYTES, Math.min(line * MARK_BYTES, this.end));
  }

  toString(): string {
    return this.bytes.toString('base64', 0, this.end);
  }
}

export function nextDigest(digest: Uint8Array, hash: Uint8Array): Buffer {
  return createHash('sha256').update('\u0002').update(digest).update(hash).digest();
}

export type ExportCell = string | number | boolean | null;
export type ExportLine = Readonly<Record<string, ExportCell>>;

/** Renders events as lines of an export. Supplied by the exporter. */
export interface LineRenderer {
  /** Columns of a line in order, without the leaf. */
  readonly columns: readonly string[];
  /** The last of `columns`, which exports of earlier versions lack. Never among `fromEvent`. */
  readonly added?: readonly string[];
  /** Columns derived from the event alone; the others hold current names, titles and figures. */
  readonly fromEvent: readonly string[];
  /** CSV text of a cell, before quoting. */
  readonly toCsv: (cell: ExportCell) => string;
  /** Lines of a stored event with the cells of `fromEvent`. Needs no decryption key. */
  readonly linesOf: (event: StoredEvent, ordinal: number) => readonly ExportLine[];
}

/** The `fromEvent` cells of an exported line, as comparable text. Undefined if the line has other columns. */
export function parsedCells(
  line: string,
  format: ExportFormat,
  { columns, added = [], fromEvent }: LineRenderer,
): ReadonlyMap<string, string> | undefined {
  const cells = format === 'csv' ? csvCells(line) : jsonCells(line);
  const earlier = columns.slice(0, columns.length - added.length);
  const names = [columns, earlier]
    .map((all) => [...all, 'leaf'])
    .find(({ length }) => length === cells?.size);
  if (!cells || !names) return undefined;
  if (format === 'ndjson' && names.some((name) => !cells.has(name))) return undefined;
  const parsed = (name: string): string =>
    cells.get(format === 'csv' ? String(names.indexOf(name)) : name) ?? '';
  return new Map(fromEvent.map((name) => [name, parsed(name)]));
}

export function expectedCells(
  expected: ExportLine,
  format: ExportFormat,
  { fromEvent, toCsv }: LineRenderer,
): ReadonlyMap<string, string> {
  const text = (cell: ExportCell): string => (format === 'csv' ? toCsv(cell) : JSON.stringify(cell));
  return new Map(fromEvent.map((name) => [name, text(expected[name] ?? null)]));
}

/** Allows comparing a file of any length with the log in one pass over each. */
const hashOfCells = (cells: ReadonlyMap<string, string>): string =>
  createHash('sha256')
    .update(JSON.stringify([...cells]))
    .digest('base64url');

/** Undefined if the cells are equal. */
export function differenceOf(
  parsed: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): string | undefined {
  for (const [name, text] of expected) {
    const found = parsed.get(name) ?? '';
    if (found !== text) return `${name} is ${found || 'empty'}, but the event has ${text || 'nothing'}.`;
  }
  return undefined;
}

function jsonCells(line: string): Map<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    return new Map(Object.entries(value).map(([name, cell]) => [name, JSON.stringify(cell)]));
  } catch {
    return undefined;
  }
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/gy;

/** Cells by index (RFC 4180). */
function csvCells(line: string): Map<string, string> | undefined {
  const record = line.replace(/\r$/, '');
  const cells = new Map<string, string>();
  CELL.lastIndex = 0;
  for (;;) {
    const found = CELL.exec(record);
    if (!found) return undefined;
    cells.set(String(cells.size), found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '') return cells;
  }
}

/** Event identified by a line. */
export interface LineClaim {
  readonly ordinal: number;
  readonly eventId: string;
  /** Hexadecimal. */
  readonly leaf: string;
}

const QUOTE = 0x22;
const NEWLINE = Buffer.from('\n');
/** Ordinal, optional line number within the event, event id, …, leaf. None of them needs quotes. */
const CSV_EVENT = /^(\d{1,15}),(?:\d{1,9},)?([0-9a-f-]{36})(?:,|$)/;
const CSV_LEAF = /,([0-9a-f]{64})\r?$/;
const UUID = /^[0-9a-f-]{36}$/;
const HASH = /^[0-9a-f]{64}$/;

/** Records of an export. In CSV, a quoted cell may span several lines. */
export async function* exportedLines(
  chunks: AsyncIterable<Uint8Array>,
  format: ExportFormat,
): AsyncGenerator<Buffer> {
  let open: Buffer[] = [];
  let isQuoted = false;
  for await (const line of linesOf(chunks)) {
    if (format === 'csv') {
      for (const byte of line) if (byte === QUOTE) isQuoted = !isQuoted;
    }
    if (isQuoted) open.push(line, NEWLINE);
    else {
      yield open.length === 0 ? line : Buffer.concat([...open, line]);
      open = [];
    }
  }
  if (open.length > 0) yield Buffer.concat(open.slice(0, -1));
}

export type NamedEvent = Pick<LineClaim, 'ordinal' | 'eventId'>;

/** Undefined if the line does not identify an event, such as a CSV header. */
export function namedEventOf(line: string, format: ExportFormat): NamedEvent | undefined {
  if (format === 'csv') {
    const [, ordinal, eventId] = CSV_EVENT.exec(line) ?? [];
    return ordinal === undefined || eventId === undefined ? undefined : { ordinal: Number(ordinal), eventId };
  }
  const { ordinal, eventId } = membersOf(line);
  const names = Number.isSafeInteger(ordinal) && typeof eventId === 'string' && UUID.test(eventId);
  return names ? { ordinal: Number(ordinal), eventId } : undefined;
}

/** Undefined if the line has no event or no leaf. */
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

/** Detected from the content, since files get renamed. */
export const formatOf = (beginning: Uint8Array): ExportFormat => (beginning[0] === 0x7b ? 'ndjson' : 'csv');

export interface NumberedLine {
  readonly text: string;
  /** Line number, from 1. */
  readonly line: number;
}

interface Claimed {
  readonly line: number;
  readonly hash: string;
}

/** Column with the line number within an event. */
const LINE_COLUMN = 'line';
/** Maximum number of mismatches whose details are kept. */
const MAX_DETAILS = 100;

/**
 * Compares the lines of a file with their events. Keeps only hashes, as lines and events come in different orders.
 */
export class ClaimedLines {
  private readonly format: ExportFormat;
  private readonly renderer: LineRenderer;
  private readonly claims = new Map<number, Claimed[]>();
  private readonly matching = new Set<number>();
  private readonly rendered = new Map<number, readonly ExportLine[]>();

  constructor({ format, renderer }: { readonly format: ExportFormat; readonly renderer: LineRenderer }) {
    this.format = format;
    this.renderer = renderer;
  }

  add(text: string, line: number): void {
    const named = namedEventOf(text, this.format);
    const cells = named && parsedCells(text, this.format, this.renderer);
    if (!cells) return;
    const claim = { line, hash: hashOfCells(cells) };
    const others = this.claims.get(named.ordinal);
    if (others) others.push(claim);
    else this.claims.set(named.ordinal, [claim]);
  }

  /** Call for each verified event of the log. */
  compare(event: RecordedEvent, ordinal: number): void {
    const claims = this.claims.get(ordinal);
    if (!claims) return;
    const expected = this.renderer.linesOf(event, ordinal);
    const hashes = new Set(
      expected.map((line) => hashOfCells(expectedCells(line, this.format, this.renderer))),
    );
    const wrong = claims.filter(({ hash }) => !hashes.has(hash));
    for (const { line, hash } of claims) if (hashes.has(hash)) this.matching.add(line);
    if (wrong.length > 0 && this.rendered.size < MAX_DETAILS) this.rendered.set(ordinal, expected);
    this.claims.delete(ordinal);
  }

  /** Undefined if the line matches its event. */
  faultOf({ text, line }: NumberedLine): string | undefined {
    if (this.matching.has(line)) return undefined;
    const cells = parsedCells(text, this.format, this.renderer);
    if (!cells) return 'The line does not have the columns of an export.';
    const ordinal = namedEventOf(text, this.format)?.ordinal ?? 0;
    // Verification of the log stopped before this event and is reported separately.
    if (this.claims.has(ordinal)) return undefined;
    const expected = this.rendered.get(ordinal);
    if (expected?.length === 0) return 'The event has no line in the audit.';
    const [first] = expected ?? [];
    // If the event has several lines, compare with the one of the same number.
    const same =
      expected?.find(
        (each) => cells.get(LINE_COLUMN) === expectedCells(each, this.format, this.renderer).get(LINE_COLUMN),
      ) ?? first;
    return (
      (same && differenceOf(cells, expectedCells(same, this.format, this.renderer))) ??
      'The line does not match its event.'
    );
  }
}

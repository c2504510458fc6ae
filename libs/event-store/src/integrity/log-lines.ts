import { createHash } from 'node:crypto';
import type { StoredEvent } from './event-chain.js';
import { linesOf } from './log-heads.js';
import type { RecordedEvent } from '../port.js';

export type ExportFormat = 'ndjson' | 'csv';

/**
 * A chain over the lines of an export, so that one line can be shown to belong to it with nothing but the hashes of the others:
 *
 *     digest(0) = SHA-256( "nimo-export-lines-v1" )
 *     digest(n) = SHA-256( 0x02 ‖ digest(n−1) ‖ SHA-256( line n, without its end ) )
 */
export const NO_LINES: Buffer = createHash('sha256').update('nimo-export-lines-v1').digest();

export const lineHash = (line: Uint8Array | string): Buffer => createHash('sha256').update(line).digest();

const MARK_BYTES = 4;
const FIRST_ROOM = 1024 * MARK_BYTES;

/**
 * The beginning of each line's hash: enough to say which line was changed; that one was, the digest shows. An export has no limit of
 * lines, so nothing but these bytes is kept of each.
 */
export class LineMarks {
  private bytes: Buffer = Buffer.alloc(FIRST_ROOM);
  private end = 0;

  static of(base64: string): LineMarks {
    const marks = new LineMarks();
    marks.bytes = Buffer.from(base64, 'base64');
    marks.end = marks.bytes.length;
    return marks;
  }

  add(hash: Uint8Array): void {
    if (this.end + MARK_BYTES > this.bytes.length)
      this.bytes = Buffer.concat([this.bytes], Math.max(FIRST_ROOM, 2 * this.bytes.length));
    this.bytes.set(hash.subarray(0, MARK_BYTES), this.end);
    this.end += MARK_BYTES;
  }

  get lines(): number {
    return this.end / MARK_BYTES;
  }

  /** Of the line of that number, from 1; empty where there is none. */
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

export type ToldCell = string | number | boolean | null;
export type ToldLine = Readonly<Record<string, ToldCell>>;

/** How an exported line comes from its event. The log does not know; whoever exports says. */
export interface LineTeller {
  /** Of a line, in their order, without the leaf. */
  readonly columns: readonly string[];
  /** Those that the event alone tells; the others are names, titles and figures of the moment. */
  readonly fromEvent: readonly string[];
  /** A cell as a line of CSV has it, before quotes. */
  readonly inCsv: (cell: ToldCell) => string;
  /** The lines of an event, each with the cells of `fromEvent`; from what is stored alone, with no key. */
  readonly linesOf: (event: StoredEvent, ordinal: number) => readonly ToldLine[];
}

/** The cells that a line shows, as text that can be compared. Undefined where it is none that was exported. */
export function shownCells(
  line: string,
  format: ExportFormat,
  { columns, fromEvent }: LineTeller,
): ReadonlyMap<string, string> | undefined {
  const cells = format === 'csv' ? csvCells(line) : jsonCells(line);
  const names = [...columns, 'leaf'];
  if (cells?.size !== names.length) return undefined;
  if (format === 'ndjson' && names.some((name) => !cells.has(name))) return undefined;
  const shown = (name: string): string =>
    cells.get(format === 'csv' ? String(names.indexOf(name)) : name) ?? '';
  return new Map(fromEvent.map((name) => [name, shown(name)]));
}

export function toldCells(
  told: ToldLine,
  format: ExportFormat,
  { fromEvent, inCsv }: LineTeller,
): ReadonlyMap<string, string> {
  const text = (cell: ToldCell): string => (format === 'csv' ? inCsv(cell) : JSON.stringify(cell));
  return new Map(fromEvent.map((name) => [name, text(told[name] ?? null)]));
}

/** So that a file of any length can be compared with the log in one pass over each. */
const hashOfCells = (cells: ReadonlyMap<string, string>): string =>
  createHash('sha256')
    .update(JSON.stringify([...cells]))
    .digest('base64url');

/** Undefined where both say the same. */
export function differenceOf(
  shown: ReadonlyMap<string, string>,
  told: ReadonlyMap<string, string>,
): string | undefined {
  for (const [name, text] of told) {
    const found = shown.get(name) ?? '';
    if (found !== text) return `${name} is ${found || 'empty'}, and its event says ${text || 'nothing'}.`;
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

/** By their number. RFC 4180. */
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

export interface NumberedLine {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

interface Claimed {
  readonly line: number;
  readonly hash: string;
}

/** The column that numbers the lines of one event. */
const LINE = 'line';
/** Differences that are kept, to be told of; the others count as wrong, too. */
const MAX_KEPT = 100;

/**
 * What the lines of a file say of their events, as hashes: the events come in the order of the log, and the lines in another, and
 * neither needs to be held.
 */
export class ClaimedLines {
  private readonly format: ExportFormat;
  private readonly teller: LineTeller;
  private readonly claims = new Map<number, Claimed[]>();
  private readonly fits = new Set<number>();
  private readonly told = new Map<number, readonly ToldLine[]>();

  constructor({ format, teller }: { readonly format: ExportFormat; readonly teller: LineTeller }) {
    this.format = format;
    this.teller = teller;
  }

  add(text: string, line: number): void {
    const named = namedEventOf(text, this.format);
    const cells = named && shownCells(text, this.format, this.teller);
    if (!cells) return;
    const claim = { line, hash: hashOfCells(cells) };
    const others = this.claims.get(named.ordinal);
    if (others) others.push(claim);
    else this.claims.set(named.ordinal, [claim]);
  }

  /** With each event of the log that fits its chain. */
  compare(event: RecordedEvent, ordinal: number): void {
    const claims = this.claims.get(ordinal);
    if (!claims) return;
    const told = this.teller.linesOf(event, ordinal);
    const hashes = new Set(told.map((line) => hashOfCells(toldCells(line, this.format, this.teller))));
    const wrong = claims.filter(({ hash }) => !hashes.has(hash));
    for (const { line, hash } of claims) if (hashes.has(hash)) this.fits.add(line);
    if (wrong.length > 0 && this.told.size < MAX_KEPT) this.told.set(ordinal, told);
    this.claims.delete(ordinal);
  }

  /** Undefined where the line says what its event says. */
  faultOf({ text, line }: NumberedLine): string | undefined {
    if (this.fits.has(line)) return undefined;
    const cells = shownCells(text, this.format, this.teller);
    if (!cells) return 'It does not have the columns of an exported line.';
    const ordinal = namedEventOf(text, this.format)?.ordinal ?? 0;
    // The log did not fit before it came to this event, which is told of itself.
    if (this.claims.has(ordinal)) return undefined;
    const told = this.told.get(ordinal);
    if (told?.length === 0) return 'Its event has no line in the audit.';
    const [first] = told ?? [];
    // Of an event with many lines the one of the same number.
    const same =
      told?.find((each) => cells.get(LINE) === toldCells(each, this.format, this.teller).get(LINE)) ?? first;
    return (
      (same && differenceOf(cells, toldCells(same, this.format, this.teller))) ??
      'It is not what its event says.'
    );
  }
}

import { createHash } from 'node:crypto';
import type { StoredEvent } from '../chain/event-chain.js';
import type { ExportFormat } from './export-seal.js';

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
export const hashOfCells = (cells: ReadonlyMap<string, string>): string =>
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

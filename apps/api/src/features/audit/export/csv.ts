export type Cell = string | number | boolean | null;

/** What a spreadsheet would take for a formula when it is at the beginning of a cell. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Text alone: a number of ours that is negative is no formula. */
export const harmless = (cell: Cell): string =>
  typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cell === null ? '' : String(cell);

function written(cell: Cell): string {
  const text = harmless(cell);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A record of RFC 4180, with its line break. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(written).join(',')}\r\n`;

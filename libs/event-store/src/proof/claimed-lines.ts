import type { RecordedEvent } from '../port.js';
import { namedEventOf } from './exported-lines.js';
import type { ExportFormat } from './export-seal.js';
import {
  differenceOf,
  hashOfCells,
  type LineTeller,
  shownCells,
  type ToldLine,
  toldCells,
} from './line-teller.js';

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
  readonly #format: ExportFormat;
  readonly #teller: LineTeller;
  readonly #claims = new Map<number, Claimed[]>();
  readonly #fits = new Set<number>();
  readonly #told = new Map<number, readonly ToldLine[]>();

  constructor({ format, teller }: { readonly format: ExportFormat; readonly teller: LineTeller }) {
    this.#format = format;
    this.#teller = teller;
  }

  add(text: string, line: number): void {
    const named = namedEventOf(text, this.#format);
    const cells = named && shownCells(text, this.#format, this.#teller);
    if (!cells) return;
    const claim = { line, hash: hashOfCells(cells) };
    const others = this.#claims.get(named.ordinal);
    if (others) others.push(claim);
    else this.#claims.set(named.ordinal, [claim]);
  }

  /** With each event of the log that fits its chain. */
  compare(event: RecordedEvent, ordinal: number): void {
    const claims = this.#claims.get(ordinal);
    if (!claims) return;
    const told = this.#teller.linesOf(event, ordinal);
    const hashes = new Set(told.map((line) => hashOfCells(toldCells(line, this.#format, this.#teller))));
    const wrong = claims.filter(({ hash }) => !hashes.has(hash));
    for (const { line, hash } of claims) if (hashes.has(hash)) this.#fits.add(line);
    if (wrong.length > 0 && this.#told.size < MAX_KEPT) this.#told.set(ordinal, told);
    this.#claims.delete(ordinal);
  }

  /** Undefined where the line says what its event says. */
  faultOf({ text, line }: NumberedLine): string | undefined {
    if (this.#fits.has(line)) return undefined;
    const cells = shownCells(text, this.#format, this.#teller);
    if (!cells) return 'It does not have the columns of an exported line.';
    const ordinal = namedEventOf(text, this.#format)?.ordinal ?? 0;
    // The log did not fit before it came to this event, which is told of itself.
    if (this.#claims.has(ordinal)) return undefined;
    const told = this.#told.get(ordinal);
    if (told?.length === 0) return 'Its event has no line in the audit.';
    const [first] = told ?? [];
    // Of an event with many lines the one of the same number.
    const same =
      told?.find((each) => cells.get(LINE) === toldCells(each, this.#format, this.#teller).get(LINE)) ??
      first;
    return (
      (same && differenceOf(cells, toldCells(same, this.#format, this.#teller))) ??
      'It is not what its event says.'
    );
  }
}

import { weightOf } from '@nimo/event-store';
import type { Key, Row, RowChange } from '../projection.js';

export type RowIdentity = string | number;

/** A row that events touched, as it was before them and as they left it. */
export interface TouchedRow extends RowChange {
  readonly identity: RowIdentity;
  readonly key: Key;
  after: Row | undefined;
  /** As it was weighed when it was kept. */
  bytes: number;
}

/** Whether a row is stored, and which, is not known. */
export const UNKNOWN = null;

/** Of a row, with its key and its place here. */
const OF_EACH = 160;
const OF_A_PART = 16;
/** Ids and the like, which have one byte a character. */
const SHORT = 64;

/**
 * Rows of one table between the fold and the database, while a generation is built: nobody else writes there, so what is known here need not
 * be looked up, and a row that changes often is written once. Three ages: changed since the last flush, on their way to the database,
 * and as earlier flushes left them.
 */
export class RowBuffer {
  /** Keys that were ever written; undefined where the table was not empty at the start. */
  private readonly stored: SeenKeys | undefined;
  private hasStored = false;
  private changed = new Map<RowIdentity, TouchedRow>();
  private flushing = new Map<RowIdentity, TouchedRow>();
  private flushed = new Map<RowIdentity, TouchedRow>();
  private heldBytes = 0;

  /** @param isFromNothing whether the table is empty: then a key that was never written has no row */
  constructor(isFromNothing: boolean) {
    this.stored = isFromNothing ? new SeenKeys() : undefined;
  }

  /** About as many bytes as is kept of rows since the last flush. */
  get bytes(): number {
    return this.heldBytes;
  }

  look(identity: RowIdentity): Row | undefined | typeof UNKNOWN {
    const kept = this.changed.get(identity) ?? this.flushing.get(identity) ?? this.flushed.get(identity);
    if (kept) return kept.after;
    if (this.stored === undefined) return UNKNOWN;
    return this.hasStored && this.stored.has(identity) ? UNKNOWN : undefined;
  }

  /** Also those that were read and left as they were: what is known of them spares a look. They are kept as they are given. */
  put(rows: Iterable<TouchedRow>): void {
    for (const row of rows) {
      const kept = this.changed.get(row.identity);
      if (kept !== undefined && kept.after === row.after) continue;
      row.bytes = weightOfRow(row.after);
      this.heldBytes += row.bytes - (kept?.bytes ?? 0);
      if (kept) [kept.after, kept.bytes] = [row.after, row.bytes];
      else this.changed.set(row.identity, row);
    }
  }

  /** Changes to write. They stay known here; call `settle` once they are written. */
  take(): RowChange[] {
    this.flushing = this.changed;
    this.changed = new Map();
    this.heldBytes = 0;
    const changes: RowChange[] = [];
    for (const row of this.flushing.values()) {
      if (row.before === row.after) continue;
      changes.push(row);
      if (row.before === undefined) this.stored?.add(row.identity);
    }
    this.hasStored ||= changes.length > 0;
    return changes;
  }

  /** @param forgets what earlier flushes left */
  settle(forgets = true): void {
    if (forgets || this.flushed.size === 0) this.flushed = this.flushing;
    else for (const [identity, row] of this.flushing) this.flushed.set(identity, row);
    this.flushing = new Map();
  }
}

function weightOfRow(row: Row | undefined): number {
  let bytes = OF_EACH;
  for (const column in row) {
    const value = row[column];
    bytes += OF_A_PART;
    if (typeof value === 'string') bytes += value.length > SHORT ? 2 * value.length : value.length;
    else if (typeof value === 'object' && value !== null) bytes += weightOf(value);
  }
  return bytes;
}

const FIRST_BITS = 2 ** 15;
const MAX_BITS = 2 ** 27;
const BITS_A_KEY = 16;

/**
 * Which keys a table may have: "no" is certain, "yes" costs a look-up, once in 200 in vain. Bloom filters, each larger than the one
 * before, so that a table of ten rows takes no room and one of millions is told apart all the same.
 */
export class SeenKeys {
  private readonly layers: Uint32Array[] = [new Uint32Array(FIRST_BITS / 32)];
  private left = FIRST_BITS / BITS_A_KEY;

  add(identity: RowIdentity): void {
    if (this.left === 0) this.grow();
    this.left -= 1;
    const layer = this.layers.at(-1);
    if (!layer) return;
    const [hash, step] = hashesOf(identity);
    for (let turn = 0; turn < 3; turn += 1) {
      const bit = bitOf(layer, hash, step, turn);
      layer[bit >>> 5] = (layer[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }

  has(identity: RowIdentity): boolean {
    const [hash, step] = hashesOf(identity);
    return this.layers.some((layer) => {
      for (let turn = 0; turn < 3; turn += 1) {
        const bit = bitOf(layer, hash, step, turn);
        if (((layer[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
      }
      return true;
    });
  }

  private grow(): void {
    const bits = Math.min(MAX_BITS, 4 * 32 * (this.layers.at(-1)?.length ?? 1));
    // A layer that is full for good says "yes" ever more often, and takes no more room.
    if (32 * (this.layers.at(-1)?.length ?? 0) < MAX_BITS) this.layers.push(new Uint32Array(bits / 32));
    this.left = bits / BITS_A_KEY;
  }
}

const bitOf = (layer: Uint32Array, hash: number, step: number, turn: number): number =>
  (hash + turn * step) & (32 * layer.length - 1);

/** Characters of a key that are looked at, spread over it: more tell no more keys apart. */
const LOOKED_AT = 40;

/** FNV-1a, with a second hash out of the first to place the bits. */
function hashesOf(identity: RowIdentity): readonly [number, number] {
  const text = String(identity);
  const stride = Math.max(1, Math.floor(text.length / LOOKED_AT));
  let hash = 0x811c9dc5;
  for (let index = text.length - 1; index >= 0; index -= stride)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return [hash, Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) | 1];
}

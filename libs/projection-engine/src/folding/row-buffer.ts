import { weightOf } from '@nimo/event-store';
import type { Key, Row, RowChange } from '../projection.js';

export type RowIdentity = string | number;

/** A row touched by events, before and after them. */
export interface TouchedRow extends RowChange {
  readonly identity: RowIdentity;
  readonly key: Key;
  after: Row | undefined;
  /** Estimated size when it was put into the buffer. */
  bytes: number;
}

/** The row may be stored; load it to find out. */
export const UNKNOWN = null;

/** Bytes per row, including its key and map entry. */
const ROW_OVERHEAD = 160;
const COLUMN_OVERHEAD = 16;
/** Up to this length, texts are usually ids, which take one byte per character. */
const SHORT_TEXT = 64;

/**
 * Write-back cache for the rows of one table during a rebuild. Nothing else writes the table, so cached rows need no reload, and a row
 * that changes often is written once. Rows are changed since the last flush, being flushed, or flushed.
 */
export class RowBuffer {
  /** Keys written so far; undefined if the table was not empty at the start. */
  private readonly storedKeys: KeyFilter | undefined;
  private hasStoredKeys = false;
  private changed = new Map<RowIdentity, TouchedRow>();
  private flushing = new Map<RowIdentity, TouchedRow>();
  private flushed = new Map<RowIdentity, TouchedRow>();
  private changedBytes = 0;

  /** @param isEmpty whether the table is empty, so that keys never written have no row */
  constructor(isEmpty: boolean) {
    this.storedKeys = isEmpty ? new KeyFilter() : undefined;
  }

  /** Estimated size of the rows since the last flush. */
  get bytes(): number {
    return this.changedBytes;
  }

  get(identity: RowIdentity): Row | undefined | typeof UNKNOWN {
    const kept = this.changed.get(identity) ?? this.flushing.get(identity) ?? this.flushed.get(identity);
    if (kept) return kept.after;
    if (this.storedKeys === undefined) return UNKNOWN;
    return this.hasStoredKeys && this.storedKeys.has(identity) ? UNKNOWN : undefined;
  }

  /** Adds touched rows, including unchanged ones, which saves loading them again. Keeps the objects themselves. */
  put(rows: Iterable<TouchedRow>): void {
    for (const row of rows) {
      const kept = this.changed.get(row.identity);
      if (kept !== undefined && kept.after === row.after) continue;
      row.bytes = weightOfRow(row.after);
      this.changedBytes += row.bytes - (kept?.bytes ?? 0);
      if (kept) [kept.after, kept.bytes] = [row.after, row.bytes];
      else this.changed.set(row.identity, row);
    }
  }

  /** Changes to write. They stay cached; call `settle` once they are written. */
  take(): RowChange[] {
    this.flushing = this.changed;
    this.changed = new Map();
    this.changedBytes = 0;
    const changes: RowChange[] = [];
    for (const row of this.flushing.values()) {
      if (row.before === row.after) continue;
      changes.push(row);
      if (row.before === undefined) this.storedKeys?.add(row.identity);
    }
    this.hasStoredKeys ||= changes.length > 0;
    return changes;
  }

  /** @param evict drops the rows of earlier flushes from the cache */
  settle(evict = true): void {
    if (evict || this.flushed.size === 0) this.flushed = this.flushing;
    else for (const [identity, row] of this.flushing) this.flushed.set(identity, row);
    this.flushing = new Map();
  }
}

function weightOfRow(row: Row | undefined): number {
  let bytes = ROW_OVERHEAD;
  for (const column in row) {
    const value = row[column];
    bytes += COLUMN_OVERHEAD;
    if (typeof value === 'string') bytes += value.length > SHORT_TEXT ? 2 * value.length : value.length;
    else if (typeof value === 'object' && value !== null) bytes += weightOf(value);
  }
  return bytes;
}

const FIRST_BITS = 2 ** 15;
const MAX_BITS = 2 ** 27;
const BITS_PER_KEY = 16;

/**
 * A scalable Bloom filter of the keys of a table, with about one false positive in 200. Each layer is larger than the last, so it fits
 * tables of ten rows as well as millions.
 */
export class KeyFilter {
  private readonly layers: Uint32Array[] = [new Uint32Array(FIRST_BITS / 32)];
  private left = FIRST_BITS / BITS_PER_KEY;

  add(identity: RowIdentity): void {
    if (this.left === 0) this.grow();
    this.left -= 1;
    const layer = this.layers.at(-1);
    if (!layer) return;
    const [hash, step] = hashesOf(identity);
    for (let probe = 0; probe < 3; probe += 1) {
      const bit = bitOf(layer, hash, step, probe);
      layer[bit >>> 5] = (layer[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }

  has(identity: RowIdentity): boolean {
    const [hash, step] = hashesOf(identity);
    return this.layers.some((layer) => {
      for (let probe = 0; probe < 3; probe += 1) {
        const bit = bitOf(layer, hash, step, probe);
        if (((layer[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
      }
      return true;
    });
  }

  private grow(): void {
    const bits = Math.min(MAX_BITS, 4 * 32 * (this.layers.at(-1)?.length ?? 1));
    // At the maximum size the last layer is reused, at the cost of more false positives.
    if (32 * (this.layers.at(-1)?.length ?? 0) < MAX_BITS) this.layers.push(new Uint32Array(bits / 32));
    this.left = bits / BITS_PER_KEY;
  }
}

const bitOf = (layer: Uint32Array, hash: number, step: number, probe: number): number =>
  (hash + probe * step) & (32 * layer.length - 1);

/** Characters of a key to hash, evenly spread. More would not distinguish more keys. */
const HASHED_CHARACTERS = 40;

/** FNV-1a and a second hash derived from it, for double hashing. */
function hashesOf(identity: RowIdentity): readonly [number, number] {
  const text = String(identity);
  const stride = Math.max(1, Math.floor(text.length / HASHED_CHARACTERS));
  let hash = 0x811c9dc5;
  for (let index = text.length - 1; index >= 0; index -= stride)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return [hash, Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) | 1];
}

import { weightOf } from '@nimo/event-store';
import type { Row } from '../projection.js';

export type RowIdentity = string | number;

const ROWS_PER_HALF = 20_000;
/** A row may hold a whole body. */
const BYTES_PER_HALF = 12 * 2 ** 20;

/**
 * Rows of one table as this process last wrote them, for a rebuild: nobody else writes there, so most look-ups can be
 * spared. The rows of the latest batch are always kept, since the next one is folded before they are committed.
 */
export class RowCache {
  readonly #seen: SeenKeys | undefined;
  #young = new Map<RowIdentity, Row | undefined>();
  #bytes = 0;
  #old = new Map<RowIdentity, Row | undefined>();

  /** @param isFromNothing whether the table was empty when the cache was made: then a key never seen has no row */
  constructor(isFromNothing: boolean) {
    this.#seen = isFromNothing ? new SeenKeys() : undefined;
  }

  /** Whether it is known what is stored under the key, be it that nothing is. */
  knows(identity: RowIdentity): boolean {
    return this.#young.has(identity) || this.#old.has(identity) || this.#seen?.has(identity) === false;
  }

  get(identity: RowIdentity): Row | undefined {
    return this.#young.has(identity) ? this.#young.get(identity) : this.#old.get(identity);
  }

  /** After a batch. The older half goes as a whole, which is cheaper than to keep an order. */
  put(rows: Iterable<readonly [RowIdentity, Row | undefined]>): void {
    for (const [identity, row] of rows) {
      this.#young.set(identity, row);
      this.#bytes += weightOf(row);
      this.#seen?.add(identity);
    }
    if (this.#young.size < ROWS_PER_HALF && this.#bytes < BYTES_PER_HALF) return;
    this.#bytes = 0;
    this.#old = this.#young;
    this.#young = new Map();
  }
}

const BITS = 2 ** 24;

/** A Bloom filter: "no" is certain, "yes" costs a look-up. With a million keys one in 200 is a wrong yes. */
class SeenKeys {
  readonly #bits = new Uint32Array(BITS / 32);

  add(identity: RowIdentity): void {
    for (const bit of bitsOf(identity))
      this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  has(identity: RowIdentity): boolean {
    return bitsOf(identity).every((bit) => ((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0);
  }
}

/** FNV-1a, with a second hash out of the first to place three bits. */
function bitsOf(identity: RowIdentity): readonly [number, number, number] {
  const text = String(identity);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  const step = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) | 1;
  return [hash & (BITS - 1), (hash + step) & (BITS - 1), (hash + 2 * step) & (BITS - 1)];
}

import type { RowIdentity } from './row-buffer.js';

const FIRST_BITS = 2 ** 15;
const LARGEST_BITS = 2 ** 27;
const BITS_A_KEY = 16;

/**
 * Which keys a table may have: "no" is certain, "yes" costs a look-up, once in 200 in vain. Bloom filters, each larger than the one
 * before, so that a table of ten rows takes no room and one of millions is told apart all the same.
 */
export class SeenKeys {
  readonly #layers: Uint32Array[] = [new Uint32Array(FIRST_BITS / 32)];
  #left = FIRST_BITS / BITS_A_KEY;

  add(identity: RowIdentity): void {
    if (this.#left === 0) this.#grow();
    this.#left -= 1;
    const layer = this.#layers.at(-1);
    if (!layer) return;
    const [hash, step] = hashesOf(identity);
    for (let turn = 0; turn < 3; turn += 1) {
      const bit = bitOf(layer, hash, step, turn);
      layer[bit >>> 5] = (layer[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }

  has(identity: RowIdentity): boolean {
    const [hash, step] = hashesOf(identity);
    return this.#layers.some((layer) => {
      for (let turn = 0; turn < 3; turn += 1) {
        const bit = bitOf(layer, hash, step, turn);
        if (((layer[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
      }
      return true;
    });
  }

  #grow(): void {
    const bits = Math.min(LARGEST_BITS, 4 * 32 * (this.#layers.at(-1)?.length ?? 1));
    // A layer that is full for good says "yes" ever more often, and takes no more room.
    if (32 * (this.#layers.at(-1)?.length ?? 0) < LARGEST_BITS) this.#layers.push(new Uint32Array(bits / 32));
    this.#left = bits / BITS_A_KEY;
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

import { hash } from 'node:crypto';
import { EMPTY_CHAIN, HASH_BYTES, nextHead } from '../chain/event-chain.js';

const BUCKETS = 65_536;

/**
 * The chain of every stream by itself, in the memory of a few megabytes however many streams there are: streams share 65,536 chains
 * by their names. Two logs have the same digest where each stream has the same events in the same order.
 */
export class StreamHeads {
  readonly #heads = Buffer.alloc(BUCKETS * HASH_BYTES);
  #streams = 0;

  constructor() {
    for (let bucket = 0; bucket < BUCKETS; bucket++) EMPTY_CHAIN.head.copy(this.#heads, bucket * HASH_BYTES);
  }

  take({ streamId, revision }: { readonly streamId: string; readonly revision: number }, leaf: Buffer): void {
    if (revision === 0) this.#streams += 1;
    const start = bucketOf(streamId) * HASH_BYTES;
    nextHead(this.#heads.subarray(start, start + HASH_BYTES), leaf).copy(this.#heads, start);
  }

  get streams(): number {
    return this.#streams;
  }

  digest(): string {
    return hash('sha256', this.#heads);
  }
}

/** FNV-1a: it has to spread, not to resist anybody, since what is compared are the chains. */
function bucketOf(streamId: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < streamId.length; index++)
    value = Math.imul(value ^ streamId.charCodeAt(index), 0x01000193);
  return (value ^ (value >>> 16)) & (BUCKETS - 1);
}

import { createHash } from 'node:crypto';

/**
 * A chain over the lines of an export, so that one line can be shown to belong to it with nothing but the hashes of the others:
 *
 *     digest(0) = SHA-256( "nimo-export-lines-v1" )
 *     digest(n) = SHA-256( 0x02 ‖ digest(n−1) ‖ SHA-256( line n, without its end ) )
 */
export const NO_LINES: Buffer = createHash('sha256').update('nimo-export-lines-v1').digest();

export const lineHash = (line: Uint8Array | string): Buffer => createHash('sha256').update(line).digest();

export const MARK_BYTES = 4;

/** Enough of a line's hash to say which line was changed; that it was, the digest shows. */
export const markOf = (hash: Uint8Array): string => Buffer.from(hash.subarray(0, MARK_BYTES)).toString('hex');

export function nextDigest(digest: Uint8Array, hash: Uint8Array): Buffer {
  return createHash('sha256').update('\u0002').update(digest).update(hash).digest();
}

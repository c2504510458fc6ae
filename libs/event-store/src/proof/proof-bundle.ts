import type { Pool } from 'pg';
import { findLinks, readLinks } from '../chain/chain-table.js';
import { EMPTY_CHAIN, HASH_BYTES, nextHead } from '../chain/event-chain.js';
import type { PublicKey } from '../chain/signing-key.js';
import { claimOf, exportedLines } from './exported-lines.js';
import { type ExportFormat, type ExportSeal, isGenuineSeal, isSeal } from './export-seal.js';
import { lineHash, nextDigest, NO_LINES } from './line-digest.js';

const FORMAT = 'nimo.proof/1';

/**
 * Everything that somebody without the database needs to see that a line was exported as it reads, and that its event is part of the
 * signed chain: the line, hashes, and the seal. Nothing of other events or lines can be read from it.
 */
export interface ProofBundle {
  readonly format: typeof FORMAT;
  readonly exported: ExportFormat;
  readonly line: string;
  /** Head of the chain before the event, hexadecimal. */
  readonly headBefore: string;
  /** Leaves from the event to the signed head, joined, in base64. */
  readonly leaves: string;
  /** Digest of the export's lines before the line, hexadecimal. */
  readonly digestBefore: string;
  /** Hashes of the lines after it, joined, in base64. */
  readonly linesAfter: string;
  readonly seal: ExportSeal;
}

export interface BundleSource {
  readonly pool: Pool;
  readonly open: () => AsyncIterable<Uint8Array>;
  readonly format: ExportFormat;
  readonly line: number;
  readonly seal: ExportSeal;
}

const PAGE = 10_000;

/** Of a line that `proveExport` has shown to be right. */
export async function makeBundle({ pool, open, format, line, seal }: BundleSource): Promise<ProofBundle> {
  let digestBefore: Buffer = NO_LINES;
  let text: string | undefined;
  const after: Buffer[] = [];
  let number = 0;
  for await (const bytes of exportedLines(open(), format)) {
    number += 1;
    if (number > seal.lines) break;
    if (number === line) text = bytes.toString();
    else if (number < line) digestBefore = nextDigest(digestBefore, lineHash(bytes));
    else after.push(lineHash(bytes));
  }
  const claim = text === undefined ? undefined : claimOf(text, format);
  if (text === undefined || !claim) throw new RangeError(`line ${line} names no event`);
  const { headBefore, leaves } = await hashesFrom(pool, claim.ordinal, seal.signed.ordinal);
  return {
    format: FORMAT,
    exported: format,
    line: text,
    headBefore: headBefore.toString('hex'),
    leaves: leaves.toString('base64'),
    digestBefore: digestBefore.toString('hex'),
    linesAfter: Buffer.concat(after).toString('base64'),
    seal,
  };
}

async function hashesFrom(
  pool: Pool,
  from: number,
  to: number,
): Promise<{ headBefore: Buffer; leaves: Buffer }> {
  const headBefore = from === 1 ? EMPTY_CHAIN.head : (await findLinks(pool, [from - 1])).get(from - 1)?.head;
  if (!headBefore) throw new RangeError(`the chain has no ordinal ${from - 1}`);
  const leaves: Buffer[] = [];
  for (let after = from - 1; after < to; after += PAGE) {
    for (const { leaf } of await readLinks(pool, after, Math.min(after + PAGE, to))) leaves.push(leaf);
  }
  return { headBefore, leaves: Buffer.concat(leaves) };
}

export type BundleCheck =
  | {
      readonly isProven: true;
      readonly line: string;
      readonly ordinal: number;
      readonly eventId: string;
      readonly seal: ExportSeal;
    }
  | { readonly isProven: false; readonly reason: string };

/** With the public key alone, anywhere. */
export function checkBundle(value: unknown, key: PublicKey): BundleCheck {
  const refused = (reason: string): BundleCheck => ({ isProven: false, reason });
  if (!isBundle(value)) return refused('This is no proof of a line (nimo.proof/1).');
  const { seal, line } = value;
  if (seal.signed.keyId !== key.keyId)
    return refused(`It was signed with the key ${seal.signed.keyId}, not with ${key.keyId}.`);
  if (!isGenuineSeal(seal, key)) return refused('The signature of the seal does not fit.');
  const claim = claimOf(line, value.exported);
  if (!claim) return refused('The line names no event.');
  const digest = fold(
    nextDigest(Buffer.from(value.digestBefore, 'hex'), lineHash(line)),
    value.linesAfter,
    nextDigest,
  );
  if (digest !== seal.digest) return refused('The line is not as it was exported.');
  const leaves = Buffer.from(value.leaves, 'base64');
  if (leaves.length !== (seal.signed.ordinal - claim.ordinal + 1) * HASH_BYTES)
    return refused('There are not as many hashes as events between the line and the signed head.');
  if (leaves.subarray(0, HASH_BYTES).toString('hex') !== claim.leaf)
    return refused('The leaf of the line is another than that of the chain.');
  const head = fold(Buffer.from(value.headBefore, 'hex'), value.leaves, nextHead);
  if (head !== seal.signed.head) return refused('The hashes do not lead to the signed head.');
  return { isProven: true, line, ordinal: claim.ordinal, eventId: claim.eventId, seal };
}

function fold(start: Buffer, hashes: string, step: (before: Buffer, hash: Buffer) => Buffer): string {
  const bytes = Buffer.from(hashes, 'base64');
  let result = start;
  for (let at = 0; at < bytes.length; at += HASH_BYTES)
    result = step(result, bytes.subarray(at, at + HASH_BYTES));
  return result.toString('hex');
}

function isBundle(value: unknown): value is ProofBundle {
  if (typeof value !== 'object' || value === null) return false;
  const bundle = value as Partial<Record<keyof ProofBundle, unknown>>;
  const texts = [bundle.line, bundle.headBefore, bundle.leaves, bundle.digestBefore, bundle.linesAfter];
  return (
    bundle.format === FORMAT &&
    (bundle.exported === 'csv' || bundle.exported === 'ndjson') &&
    texts.every((text) => typeof text === 'string') &&
    isSeal(bundle.seal)
  );
}

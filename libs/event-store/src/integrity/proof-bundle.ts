import type { Pool } from 'pg';
import { findLinks, readLinks } from './chain-table.js';
import {
  canonicalEvent,
  EMPTY_CHAIN,
  HASH_BYTES,
  leafOf,
  nextHead,
  type StoredEvent,
} from './event-chain.js';
import type { PublicKey } from './signed-head.js';
import type { EventStore, Json, JsonObject, Position } from '../port.js';
import {
  claimOf,
  differenceOf,
  exportedLines,
  type LineClaim,
  lineHash,
  type LineTeller,
  nextDigest,
  NO_LINES,
  shownCells,
  toldCells,
  type ExportFormat,
} from './log-lines.js';
import { type ExportSeal, isGenuineSeal, isSeal } from './export-seal.js';

const FORMAT = 'nimo.proof/2';

/**
 * Everything that somebody without the database needs to see that a line was exported as it reads, and that its event is part of the
 * signed chain: the line, the event as it is stored (personal data sealed), hashes, and the seal. The line is told again from the event.
 * Nothing of other events can be read from it, and of other lines only what the same event says.
 */
export interface ProofBundle {
  readonly format: typeof FORMAT;
  readonly exported: ExportFormat;
  readonly line: string;
  /** Its canonical text, the bytes that the leaf is computed from. */
  readonly event: string;
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
  readonly log: EventStore;
  readonly teller: LineTeller;
  /** Also where the event has other lines, which can then be read from it: the other votes of a case, say. */
  readonly isWholeEvent?: boolean;
  readonly open: () => AsyncIterable<Uint8Array>;
  readonly format: ExportFormat;
  readonly line: number;
  readonly seal: ExportSeal;
}

const PAGE = 10_000;
const EVENTS_PAGE = 2_000;

/** The event has more lines than the one that is asked for. */
export class ManyLinesError extends Error {
  override readonly name = 'ManyLinesError';

  constructor(readonly lines: number) {
    super(`the event has ${lines} lines`);
  }
}

/** Of a line that `proveExport` has shown to be right. @throws ManyLinesError */
export async function makeBundle(source: BundleSource): Promise<ProofBundle> {
  const { pool, open, format, line, seal } = source;
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
  const event = await eventAt(source, claim.ordinal);
  const { headBefore, leaves } = await hashesFrom(pool, claim.ordinal, seal.signed.ordinal);
  return {
    format: FORMAT,
    exported: format,
    line: text,
    event,
    headBefore: headBefore.toString('hex'),
    leaves: leaves.toString('base64'),
    digestBefore: digestBefore.toString('hex'),
    linesAfter: Buffer.concat(after).toString('base64'),
    seal,
  };
}

async function eventAt(
  { log, teller, isWholeEvent = false }: BundleSource,
  ordinal: number,
): Promise<string> {
  let after: Position | undefined;
  for (let passed = 0; ;) {
    const page = await log.readAll({ ...(after !== undefined && { after }), limit: EVENTS_PAGE });
    const event = page[ordinal - passed - 1];
    if (event) {
      const lines = teller.linesOf(event, ordinal).length;
      if (lines > 1 && !isWholeEvent) throw new ManyLinesError(lines);
      return canonicalEvent(ordinal, event);
    }
    after = page.at(-1)?.position;
    if (after === undefined) throw new RangeError(`the log has no ordinal ${ordinal}`);
    passed += page.length;
  }
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
export function checkBundle(value: unknown, key: PublicKey, teller: LineTeller): BundleCheck {
  const refused = (reason: string): BundleCheck => ({ isProven: false, reason });
  if (!isBundle(value)) return refused('This is no proof of a line (nimo.proof/2).');
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
  const wrong = eventFault(value, claim, teller);
  if (wrong !== undefined) return refused(wrong);
  const head = fold(Buffer.from(value.headBefore, 'hex'), value.leaves, nextHead);
  if (head !== seal.signed.head) return refused('The hashes do not lead to the signed head.');
  return { isProven: true, line, ordinal: claim.ordinal, eventId: claim.eventId, seal };
}

/** Undefined where the leaf is that of the event, and the line what the event says. */
function eventFault(
  { event: text, line, exported }: ProofBundle,
  claim: LineClaim,
  teller: LineTeller,
): string | undefined {
  if (leafOf(text).toString('hex') !== claim.leaf) return 'The event is another than that of the leaf.';
  const event = storedEventOf(text);
  if (event?.ordinal !== claim.ordinal || event.stored.id !== claim.eventId)
    return 'The event is another than the line names.';
  const told = teller.linesOf(event.stored, event.ordinal).map((each) => toldCells(each, exported, teller));
  const shown = shownCells(line, exported, teller);
  if (!shown) return 'The line does not have the columns of an exported line.';
  const faults = told.map((each) => differenceOf(shown, each));
  if (faults.includes(undefined)) return undefined;
  return `The line does not say what its event says: ${faults.length === 1 ? (faults[0] ?? '') : 'none of the lines of the event is this one.'}`;
}

function storedEventOf(text: string): { ordinal: number; stored: StoredEvent } | undefined {
  try {
    const { data, id, metadata, ordinal, revision, stream, type } = JSON.parse(text) as {
      readonly [name: string]: Json;
    };
    // Its bytes have the hash of the leaf, so they are what an event was written as; the types are asked for all the same.
    if (typeof id !== 'string' || typeof stream !== 'string' || typeof type !== 'string') return undefined;
    if (typeof ordinal !== 'number' || typeof revision !== 'number') return undefined;
    if (!isObject(data) || !isObject(metadata)) return undefined;
    return { ordinal, stored: { id, type, data, metadata, streamId: stream, revision } };
  } catch {
    return undefined;
  }
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
  const texts = [
    bundle.line,
    bundle.event,
    bundle.headBefore,
    bundle.leaves,
    bundle.digestBefore,
    bundle.linesAfter,
  ];
  return (
    bundle.format === FORMAT &&
    (bundle.exported === 'csv' || bundle.exported === 'ndjson') &&
    texts.every((text) => typeof text === 'string') &&
    isSeal(bundle.seal)
  );
}

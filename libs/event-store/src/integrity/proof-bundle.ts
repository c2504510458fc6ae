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
  type LineRenderer,
  nextDigest,
  NO_LINES,
  parsedCells,
  expectedCells,
  type ExportFormat,
} from './log-lines.js';
import { type ExportSeal, isGenuineSeal, isSeal } from './export-seal.js';

const FORMAT = 'nimo.proof/2';

/**
 * Proves, without access to the database, that a line was exported unchanged and that its event is part of the signed chain: the line, the
 * stored event (personal data encrypted), hashes and the seal. Reveals nothing about other events, and about other lines only what the
 * same event contains.
 */
export interface ProofBundle {
  readonly format: typeof FORMAT;
  readonly exported: ExportFormat;
  readonly line: string;
  /** Canonical text of the event, from which the leaf is computed. */
  readonly event: string;
  /** Head of the chain before the event, hexadecimal. */
  readonly headBefore: string;
  /** Concatenated leaves from the event to the signed head, base64. */
  readonly leaves: string;
  /** Digest of the preceding lines, hexadecimal. */
  readonly digestBefore: string;
  /** Concatenated hashes of the following lines, base64. */
  readonly linesAfter: string;
  readonly seal: ExportSeal;
}

export interface BundleSource {
  readonly pool: Pool;
  readonly log: EventStore;
  readonly renderer: LineRenderer;
  /** Allows an event with several lines, which reveals them all (such as the other votes of a case). */
  readonly isWholeEvent?: boolean;
  readonly open: () => AsyncIterable<Uint8Array>;
  readonly format: ExportFormat;
  readonly line: number;
  readonly seal: ExportSeal;
}

const LINKS_PAGE = 10_000;
const EVENTS_PAGE = 2_000;

/** The event has several lines, and the bundle would reveal them all. */
export class ManyLinesError extends Error {
  override readonly name = 'ManyLinesError';

  constructor(readonly lines: number) {
    super(`the event has ${lines} lines`);
  }
}

/**
 * Bundles the proof of a line that `proveExport` has verified.
 * @throws ManyLinesError
 */
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
  if (text === undefined || !claim) throw new RangeError(`line ${line} does not identify an event`);
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
  { log, renderer, isWholeEvent = false }: BundleSource,
  ordinal: number,
): Promise<string> {
  let after: Position | undefined;
  for (let passed = 0; ;) {
    const page = await log.readAll({ ...(after !== undefined && { after }), limit: EVENTS_PAGE });
    const event = page[ordinal - passed - 1];
    if (event) {
      const lines = renderer.linesOf(event, ordinal).length;
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
  for (let after = from - 1; after < to; after += LINKS_PAGE) {
    for (const { leaf } of await readLinks(pool, after, Math.min(after + LINKS_PAGE, to))) leaves.push(leaf);
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

/** Checks a bundle. Needs only the public key. */
export function checkBundle(value: unknown, key: PublicKey, renderer: LineRenderer): BundleCheck {
  const failed = (reason: string): BundleCheck => ({ isProven: false, reason });
  if (!isBundle(value)) return failed('This is not a proof of a line (nimo.proof/2).');
  const { seal, line } = value;
  if (seal.signed.keyId !== key.keyId)
    return failed(`The proof is signed with the key ${seal.signed.keyId}, not ${key.keyId}.`);
  if (!isGenuineSeal(seal, key)) return failed('The signature of the seal is invalid.');
  const claim = claimOf(line, value.exported);
  if (!claim) return failed('The line does not identify an event.');
  const digest = foldHashes(
    nextDigest(Buffer.from(value.digestBefore, 'hex'), lineHash(line)),
    value.linesAfter,
    nextDigest,
  );
  if (digest !== seal.digest) return failed('The line differs from the exported one.');
  const leaves = Buffer.from(value.leaves, 'base64');
  if (leaves.length !== (seal.signed.ordinal - claim.ordinal + 1) * HASH_BYTES)
    return failed('The number of hashes does not match the number of events up to the signed head.');
  if (leaves.subarray(0, HASH_BYTES).toString('hex') !== claim.leaf)
    return failed('The leaf of the line differs from the one in the chain.');
  const wrong = eventFault(value, claim, renderer);
  if (wrong !== undefined) return failed(wrong);
  const head = foldHashes(Buffer.from(value.headBefore, 'hex'), value.leaves, nextHead);
  if (head !== seal.signed.head) return failed('The hashes do not lead to the signed head.');
  return { isProven: true, line, ordinal: claim.ordinal, eventId: claim.eventId, seal };
}

/** Undefined if the event matches its leaf and its line. */
function eventFault(
  { event: text, line, exported }: ProofBundle,
  claim: LineClaim,
  renderer: LineRenderer,
): string | undefined {
  if (leafOf(text).toString('hex') !== claim.leaf) return 'The event does not match its leaf.';
  const event = storedEventOf(text);
  if (event?.ordinal !== claim.ordinal || event.stored.id !== claim.eventId)
    return 'The event is not the one the line identifies.';
  const expected = renderer
    .linesOf(event.stored, event.ordinal)
    .map((each) => expectedCells(each, exported, renderer));
  const parsed = parsedCells(line, exported, renderer);
  if (!parsed) return 'The line does not have the columns of an export.';
  const faults = expected.map((each) => differenceOf(parsed, each));
  if (faults.includes(undefined)) return undefined;
  return `The line does not match its event: ${faults.length === 1 ? (faults[0] ?? '') : 'the event has several lines, none of them like this.'}`;
}

function storedEventOf(text: string): { ordinal: number; stored: StoredEvent } | undefined {
  try {
    const { data, id, metadata, ordinal, revision, stream, type } = JSON.parse(text) as {
      readonly [name: string]: Json;
    };
    // The text has the leaf's hash, so it is a written event; the types are checked nevertheless.
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

function foldHashes(start: Buffer, hashes: string, step: (before: Buffer, hash: Buffer) => Buffer): string {
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

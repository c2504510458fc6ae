import type { Pool } from 'pg';
import { findLinks } from '../chain/chain-table.js';
import type { Misfit } from '../chain/misfit.js';
import type { PublicKey } from '../chain/signing-key.js';
import { verifyLog } from '../chain/verify-log.js';
import type { EventStore } from '../port.js';
import { claimOf, exportedLines, type LineClaim } from './exported-lines.js';
import { type ExportFormat, type ExportSeal, isGenuineSeal, parseSeal } from './export-seal.js';
import { lineHash, nextDigest, NO_LINES } from './line-digest.js';

export interface ProveExportOptions {
  readonly pool: Pool;
  readonly log: EventStore;
  /** The file from its beginning; it is read twice. */
  readonly open: () => AsyncIterable<Uint8Array>;
  readonly format: ExportFormat;
  readonly keys: readonly PublicKey[];
  /** The one line that is asked about, from 1; all of them otherwise. */
  readonly line?: number;
  readonly onProgress?: (ordinal: number) => void;
  readonly signal?: AbortSignal;
}

export type ExportProblem =
  | { readonly kind: 'no-seal'; readonly detail: string }
  | { readonly kind: 'unknown-key'; readonly detail: string }
  | { readonly kind: 'changed-file'; readonly detail: string }
  | { readonly kind: 'log'; readonly detail: string; readonly misfit: Misfit }
  | { readonly kind: 'line'; readonly line: number; readonly detail: string };

export interface ProveReport {
  /** Lines that name an event and were looked at. */
  readonly lines: number;
  readonly proven: number;
  readonly seal: ExportSeal | null;
  /** Empty where all is proven; of lines at most the first twenty. */
  readonly problems: readonly ExportProblem[];
}

const MOST_PROBLEMS = 20;
const BATCH = 1000;

/**
 * Shows of each line that its event is in the log as it was chained, that the events lead to the head that was signed with the export,
 * and that the file is as it was exported.
 */
export async function proveExport(options: ProveExportOptions): Promise<ProveReport> {
  const { seal, problems } = await checkSeal(options);
  if (seal === null) return { lines: 0, proven: 0, seal, problems };
  const misfit = await misfitBefore(options, seal);
  const found: ExportProblem[] = [...problems];
  if (misfit) found.push({ kind: 'log', misfit, detail: `Ordinal ${misfit.ordinal}: ${misfit.detail}` });
  const { lines, proven, wrong } = await checkLines(options, seal);
  return { lines, proven: found.length === 0 ? proven : 0, seal, problems: [...found, ...wrong] };
}

interface SealCheck {
  readonly seal: ExportSeal | null;
  readonly problems: readonly ExportProblem[];
}

async function checkSeal({ open, format, keys }: ProveExportOptions): Promise<SealCheck> {
  let digest: Buffer = NO_LINES;
  let lines = 0;
  let last: Buffer | undefined;
  for await (const line of exportedLines(open(), format)) {
    if (last) {
      digest = nextDigest(digest, lineHash(last));
      lines += 1;
    }
    last = line;
  }
  const seal = last && parseSeal(last.toString());
  if (!seal) {
    const detail =
      'The last line is no seal: the file is cut off, or was exported without the head of the chain.';
    return { seal: null, problems: [{ kind: 'no-seal', detail }] };
  }
  const key = keys.find(({ keyId }) => keyId === seal.signed.keyId);
  if (!key) {
    const detail = `It was sealed with the key ${seal.signed.keyId}, which is not known here; name it with --public-key.`;
    return { seal: null, problems: [{ kind: 'unknown-key', detail }] };
  }
  if (!isGenuineSeal(seal, key)) {
    return {
      seal: null,
      problems: [{ kind: 'no-seal', detail: 'The seal was changed: its signature does not fit.' }],
    };
  }
  if (seal.lines === lines && seal.digest === digest.toString('hex')) return { seal, problems: [] };
  const detail = `The file is not as it was exported: ${lines} lines instead of ${seal.lines}, or other text in one of them.`;
  return { seal, problems: [{ kind: 'changed-file', detail }] };
}

async function misfitBefore(
  { pool, log, keys, onProgress, signal }: ProveExportOptions,
  { signed }: ExportSeal,
): Promise<Misfit | null> {
  const { misfit } = await verifyLog({
    pool,
    log,
    keys,
    heads: [signed],
    to: signed.ordinal,
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  });
  return misfit;
}

interface Claimed extends LineClaim {
  readonly line: number;
}

async function checkLines(
  options: ProveExportOptions,
  seal: ExportSeal,
): Promise<{ lines: number; proven: number; wrong: ExportProblem[] }> {
  const wrong: ExportProblem[] = [];
  let lines = 0;
  let failed = 0;
  for await (const batch of claimedLines(options, seal)) {
    const links = await findLinks(
      options.pool,
      batch.flatMap((each) => ('ordinal' in each ? [each.ordinal] : [])),
    );
    for (const each of batch) {
      lines += 1;
      const link = 'ordinal' in each ? links.get(each.ordinal) : undefined;
      const detail =
        'ordinal' in each ? problemOf(each, link, seal) : 'It names no event: ordinal, eventId and leaf.';
      if (detail === undefined) continue;
      failed += 1;
      if (wrong.length < MOST_PROBLEMS) wrong.push({ kind: 'line', line: each.line, detail });
    }
  }
  return { lines, proven: lines - failed, wrong };
}

function problemOf(
  { ordinal, eventId, leaf }: Claimed,
  link: { readonly eventId: string; readonly leaf: Buffer } | undefined,
  { signed }: ExportSeal,
): string | undefined {
  if (ordinal > signed.ordinal)
    return `Ordinal ${ordinal} is behind the signed head, which is of ordinal ${signed.ordinal}.`;
  if (!link) return `The log has no event with ordinal ${ordinal}.`;
  if (link.eventId !== eventId)
    return `Ordinal ${ordinal} of the log is the event ${link.eventId}, not ${eventId}.`;
  return link.leaf.toString('hex') === leaf
    ? undefined
    : `The event with ordinal ${ordinal} has another leaf in the log.`;
}

async function* claimedLines(
  { open, format, line: wanted }: ProveExportOptions,
  seal: ExportSeal,
): AsyncGenerator<(Claimed | { readonly line: number })[]> {
  let batch: (Claimed | { readonly line: number })[] = [];
  let line = 0;
  for await (const bytes of exportedLines(open(), format)) {
    line += 1;
    const isHeading = format === 'csv' && line === 1;
    const isSeal = line === seal.lines + 1 && parseSeal(bytes.toString()) !== undefined;
    if (isHeading || isSeal || (wanted !== undefined && wanted !== line)) continue;
    const claim = claimOf(bytes.toString(), format);
    batch.push(claim ? { ...claim, line } : { line });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

import type { Pool } from 'pg';
import { findLinks } from './chain-table.js';
import type { Mismatch } from './mismatches.js';
import type { PublicKey, SignedHead } from './signed-head.js';
import { verifyLog } from './verify-log.js';
import type { EventStore } from '../port.js';
import {
  ClaimedLines,
  claimOf,
  exportedLines,
  type LineRenderer,
  type NumberedLine,
  type ExportFormat,
} from './log-lines.js';
import { checkSeal, type ExportSeal, parseSeal, type ExportProblem } from './export-seal.js';

interface ProveExportOptions {
  readonly pool: Pool;
  readonly log: EventStore;
  /** Opens the file. Called twice. */
  readonly open: () => AsyncIterable<Uint8Array>;
  readonly format: ExportFormat;
  readonly keys: readonly PublicKey[];
  /** All known signed heads. The log must match them too, since the seal may have been signed after a change. */
  readonly heads: readonly SignedHead[];
  /** Renders each line again from its event. */
  readonly renderer: LineRenderer;
  /** Number of the only line to prove, from 1. Defaults to all lines. */
  readonly line?: number;
  readonly onProgress?: (ordinal: number) => void;
  readonly signal?: AbortSignal;
}

export interface ProveReport {
  /** Number of lines checked. */
  readonly lines: number;
  readonly proven: number;
  readonly seal: ExportSeal | null;
  /** Empty if everything is proven. At most the first 20 lines. */
  readonly problems: readonly ExportProblem[];
}

const MAX_PROBLEMS = 20;
const BATCH_SIZE = 1000;

/**
 * Proves that each line matches its event, that the events match the chain, that the chain matches every signed head, and that the file is
 * unchanged.
 */
export async function proveExport(options: ProveExportOptions): Promise<ProveReport> {
  const claimed = new ClaimedLines(options);
  const { seal, problems } = await checkSeal({
    ...options,
    onLine: (line, number) => claimed.add(line.toString(), number),
  });
  if (seal === null) return { lines: 0, proven: 0, seal, problems };
  const mismatch = await verifyEvents(options, seal, claimed);
  const found: ExportProblem[] = [...problems];
  if (mismatch)
    found.push({ kind: 'log', mismatch, detail: `Ordinal ${mismatch.ordinal}: ${mismatch.detail}` });
  const { lines, proven, wrong } = await checkLines(options, seal, claimed);
  return { lines, proven: found.length === 0 ? proven : 0, seal, problems: [...found, ...wrong] };
}

async function verifyEvents(
  { pool, log, keys, heads, onProgress, signal }: ProveExportOptions,
  { signed }: ExportSeal,
  claimed: ClaimedLines,
): Promise<Mismatch | null> {
  const { mismatch } = await verifyLog({
    pool,
    log,
    keys,
    heads: [...heads, signed],
    to: heads.reduce((last, { ordinal }) => Math.max(last, ordinal), signed.ordinal),
    onVerified: (event, ordinal) => claimed.compare(event, ordinal),
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  });
  return mismatch;
}

async function checkLines(
  options: ProveExportOptions,
  seal: ExportSeal,
  claimed: ClaimedLines,
): Promise<{ lines: number; proven: number; wrong: ExportProblem[] }> {
  const wrong: ExportProblem[] = [];
  let lines = 0;
  let failed = 0;
  for await (const batch of selectedLines(options, seal)) {
    const claims = batch.map(({ text }) => claimOf(text, options.format));
    const links = await findLinks(
      options.pool,
      claims.flatMap((claim) => claim?.ordinal ?? []),
    );
    batch.forEach(({ text, line }, index) => {
      lines += 1;
      const claim = claims[index];
      const detail = claim
        ? (linkFault(claim, links.get(claim.ordinal), seal) ?? claimed.faultOf({ text, line }))
        : 'The line does not identify an event by ordinal, eventId and leaf.';
      if (detail === undefined) return;
      failed += 1;
      if (wrong.length < MAX_PROBLEMS) wrong.push({ kind: 'line', line, detail });
    });
  }
  return { lines, proven: lines - failed, wrong };
}

function linkFault(
  { ordinal, eventId, leaf }: { readonly ordinal: number; readonly eventId: string; readonly leaf: string },
  link: { readonly eventId: string; readonly leaf: Buffer } | undefined,
  { signed }: ExportSeal,
): string | undefined {
  if (ordinal > signed.ordinal)
    return `Ordinal ${ordinal} is after the signed head of ordinal ${signed.ordinal}.`;
  if (!link) return `The log has no event with ordinal ${ordinal}.`;
  if (link.eventId !== eventId)
    return `Ordinal ${ordinal} of the log is the event ${link.eventId}, not ${eventId}.`;
  return link.leaf.toString('hex') === leaf
    ? undefined
    : `The event with ordinal ${ordinal} has a different leaf in the log.`;
}

async function* selectedLines(
  { open, format, line: selected }: ProveExportOptions,
  seal: ExportSeal,
): AsyncGenerator<NumberedLine[]> {
  let batch: NumberedLine[] = [];
  let line = 0;
  for await (const bytes of exportedLines(open(), format)) {
    line += 1;
    const text = bytes.toString();
    const isHeading = format === 'csv' && line === 1;
    const isSeal = line === seal.lines + 1 && parseSeal(text) !== undefined;
    if (isHeading || isSeal || (selected !== undefined && selected !== line)) continue;
    batch.push({ text, line });
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

import { type ChainTip, canonicalEvent } from '../integrity/event-chain.js';
import type { EventStore, Position, RecordedEvent } from '../port.js';
import { readPage } from '../read-page.js';
import { AppendBatches } from './import-log.js';
import { compareLogs, type Comparison } from './compare-logs.js';
import { LogDiffersError } from './export-log.js';

export type CopyPhase = 'comparing' | 'copying' | 'proving';

export interface CopyLogOptions {
  readonly from: Pick<EventStore, 'readAll' | 'countAfter'>;
  readonly to: EventStore;
  /** The target preserves the order of appends to different streams made in one call. */
  readonly isOrdered: boolean;
  /** Runs before the first write. If it throws, the target is unchanged. */
  readonly beforeWriting?: (existing: number) => Promise<void>;
  /** A chain tip recorded elsewhere, which the copied events must match. */
  readonly checkpoint?: ChainTip;
  /** Positions in the source to translate to the target. */
  readonly translate?: ReadonlySet<Position>;
  readonly onProgress?: (phase: CopyPhase, ordinal: number) => void;
  readonly signal?: AbortSignal;
}

export interface CopyReport {
  /** Ordinal up to which both logs are verified to be identical. */
  readonly ordinal: number;
  readonly copied: number;
  /** Number of events copied by an earlier run. */
  readonly existing: number;
  readonly streams: number;
  readonly head: string;
  readonly streamsDigest: string;
  /** Number of events the source received during verification, up to 1,000. The next run copies them. */
  readonly behind: number;
  /** Target positions by requested position. A position of the target maps to itself. */
  readonly translated: ReadonlyMap<Position, Position>;
}

const PAGE_SIZE = 1000;
const PAGE_BYTES = 8 * 2 ** 20;
const MAX_COUNTED = 1000;

/**
 * Copies a log to another store, preserving order, ordinals, ids, data and metadata. Continues where the target ends, so it can be killed
 * at any time and run again. Afterwards both logs are read and compared in full.
 *
 * @throws LogDiffersError if the target is not a prefix of the source
 */
export async function copyLog(options: CopyLogOptions): Promise<CopyReport> {
  const { from, to, onProgress, signal } = options;
  const comparison = await compareLogs({
    from,
    to,
    onProgress: (ordinal) => onProgress?.('comparing', ordinal),
    ...(signal && { signal }),
  });
  assertPrefix(comparison);
  const existing = comparison.to.tip.ordinal;
  if (comparison.next.from) await options.beforeWriting?.(existing);
  const ordinal = comparison.next.from
    ? await copyRest(comparison.from.tip, comparison.from.position, options)
    : existing;
  const verified = await verifyCopy(ordinal, options);
  return { ...verified, copied: ordinal - existing, existing };
}

/** Copies until it reaches the end of the source. */
async function copyRest(
  start: ChainTip,
  position: Position | undefined,
  { from, to, isOrdered, onProgress, signal }: CopyLogOptions,
): Promise<number> {
  const batches = new AppendBatches(to, isOrdered);
  let { ordinal } = start;
  const pageAfter = async (after: Position | undefined): Promise<RecordedEvent[]> => {
    const range = { ...(after !== undefined && { after }), limit: PAGE_SIZE, maxBytes: PAGE_BYTES };
    return (await readPage(from, range)).events;
  };
  for (let page = await pageAfter(position); page.length > 0;) {
    // Reads the next page while this one is written.
    const next = pageAfter(page.at(-1)?.position);
    next.catch(() => undefined);
    for (const event of page) {
      signal?.throwIfAborted();
      await batches.push(event, Buffer.byteLength(canonicalEvent(++ordinal, event)));
    }
    onProgress?.('copying', ordinal);
    page = await next;
  }
  await batches.end();
  return ordinal;
}

async function verifyCopy(
  until: number,
  { from, to, checkpoint, translate = new Set(), onProgress, signal }: CopyLogOptions,
): Promise<Omit<CopyReport, 'copied' | 'existing'>> {
  const translated = new Map<Position, Position>();
  const comparison = await compareLogs({
    from,
    to,
    until,
    onSame: (source, target, tip) => {
      if (tip.ordinal === checkpoint?.ordinal) assertLeadsTo(checkpoint, tip, source);
      if (translate.has(source.position)) translated.set(source.position, target.position);
      if (translate.has(target.position)) translated.set(target.position, target.position);
    },
    onProgress: (ordinal) => onProgress?.('proving', ordinal),
    ...(signal && { signal }),
  });
  assertIdentical(comparison, until);
  if (checkpoint && checkpoint.ordinal > until) throw endsEarly(until, checkpoint.ordinal);
  const { tip, position, streams, streamsDigest } = comparison.to;
  const after = position === undefined ? {} : { after: position };
  const [extra] = await to.readAll({ ...after, limit: 1 });
  if (extra)
    throw new LogDiffersError(
      `Another process is writing to the target: ${describeEvent(extra, until + 1)}.`,
    );
  return {
    ordinal: tip.ordinal,
    head: tip.head.toString('hex'),
    streams,
    streamsDigest,
    behind: await from.countAfter(comparison.from.position, MAX_COUNTED),
    translated,
  };
}

const endsEarly = (ordinal: number, chained: number): LogDiffersError =>
  new LogDiffersError(
    `The source ends at ordinal ${ordinal}, but its chain at ${chained}: events are missing, or the log belongs to another installation. Run nimo log verify before you copy it.`,
  );

function assertPrefix({ next, to: { tip } }: Comparison): void {
  if (!next.to) return;
  const ordinal = tip.ordinal + 1;
  if (!next.from)
    throw new LogDiffersError(
      `The source ends at ordinal ${tip.ordinal}, but the target continues with ${describeEvent(next.to, ordinal)}. Are source and target swapped?`,
    );
  throw new LogDiffersError(
    `The target is not a prefix of the source. The first difference is at ordinal ${ordinal}: the source has ${describeEvent(next.from)}, the target ${describeEvent(next.to)}. Nothing was written.`,
  );
}

/** Fails only if the target is broken or has another writer. */
function assertIdentical({ from, to, next }: Comparison, until: number): void {
  const isSame = from.tip.head.equals(to.tip.head) && from.streamsDigest === to.streamsDigest;
  if (from.tip.ordinal === until && isSame) return;
  const found = next.to ? describeEvent(next.to) : 'nothing';
  throw new LogDiffersError(
    `The copy is not identical. The first difference is at ordinal ${to.tip.ordinal + 1}: the source has ${next.from ? describeEvent(next.from) : 'nothing'}, the target ${found}. Start again with an empty target.`,
  );
}

function assertLeadsTo(checkpoint: ChainTip, tip: ChainTip, event: RecordedEvent): void {
  if (checkpoint.head.equals(tip.head)) return;
  throw new LogDiffersError(
    `The source does not match its chain, or the log belongs to another installation: they diverge at or before ${describeEvent(event, tip.ordinal)}. Run nimo log verify before you copy it.`,
  );
}

function describeEvent({ type, streamId, revision, id }: RecordedEvent, ordinal?: number): string {
  return `${ordinal === undefined ? '' : `ordinal ${ordinal}, `}${type} ${id} (${streamId}, revision ${revision})`;
}

import { type ChainTip, canonicalEvent } from '../integrity/event-chain.js';
import type { EventStore, Position, RecordedEvent } from '../port.js';
import { readWithin } from '../read-within.js';
import { AppendBatches } from './import-log.js';
import { compareLogs, type Comparison } from './compare-logs.js';
import { LogDiffersError } from './export-log.js';

export type CopyPhase = 'comparing' | 'copying' | 'proving';

export interface CopyLogOptions {
  readonly from: Pick<EventStore, 'readAll' | 'countAfter'>;
  readonly to: EventStore;
  /** Whether the target keeps the order of appends to several streams that are made in one call. */
  readonly isOrdered: boolean;
  /** Asked once, before the first event is written: to throw here leaves the target as it was. */
  readonly beforeWriting?: (wereThere: number) => Promise<void>;
  /** An end of the chain noted earlier and elsewhere: the copy must lead through it. */
  readonly witness?: ChainTip;
  /** Positions of the source whose counterparts in the target are wanted. */
  readonly translate?: ReadonlySet<Position>;
  readonly onProgress?: (phase: CopyPhase, ordinal: number) => void;
  readonly signal?: AbortSignal;
}

export interface CopyReport {
  /** Ordinal up to which both logs were read and found the same. */
  readonly ordinal: number;
  readonly copied: number;
  /** Events that an earlier copy had brought. */
  readonly wereThere: number;
  readonly streams: number;
  readonly head: string;
  readonly streamsDigest: string;
  /** Events that the source got while it was proven, counted up to a thousand: the next run brings them. */
  readonly behind: number;
  /** Counterparts of the positions asked for, of either log: a place that has moved already stays. */
  readonly translated: ReadonlyMap<Position, Position>;
}

const PAGE = 1000;
const PAGE_BYTES = 8 * 2 ** 20;
const MAX_COUNTED = 1000;

/**
 * Brings a log into another store: order, ordinals, ids, data and metadata stay. Goes on where the target ends, so it may be killed at any
 * moment and run again. At the end both logs are read from their beginning and compared, whatever the copy believed to have done.
 *
 * @throws LogDiffersError where the target has, or comes to have, anything but the beginning of the source
 */
export async function copyLog(options: CopyLogOptions): Promise<CopyReport> {
  const { from, to, onProgress, signal } = options;
  const there = await compareLogs({
    from,
    to,
    onProgress: (ordinal) => onProgress?.('comparing', ordinal),
    ...(signal && { signal }),
  });
  assertBeginning(there);
  const wereThere = there.to.tip.ordinal;
  if (there.next.from) await options.beforeWriting?.(wereThere);
  const ordinal = there.next.from ? await bring(there.from.tip, there.from.position, options) : wereThere;
  const proven = await prove(ordinal, options);
  return { ...proven, copied: ordinal - wereThere, wereThere };
}

/** Follows the source until it has no more; what comes later is for the next run. */
async function bring(
  start: ChainTip,
  position: Position | undefined,
  { from, to, isOrdered, onProgress, signal }: CopyLogOptions,
): Promise<number> {
  const batches = new AppendBatches(to, isOrdered);
  let { ordinal } = start;
  const pageAfter = async (after: Position | undefined): Promise<RecordedEvent[]> => {
    const range = { ...(after !== undefined && { after }), limit: PAGE, mostBytes: PAGE_BYTES };
    return (await readWithin(from, range)).events;
  };
  for (let page = await pageAfter(position); page.length > 0;) {
    // The next page is read while this one is written.
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

async function prove(
  until: number,
  { from, to, witness, translate = new Set(), onProgress, signal }: CopyLogOptions,
): Promise<Omit<CopyReport, 'copied' | 'wereThere'>> {
  const translated = new Map<Position, Position>();
  const proof = await compareLogs({
    from,
    to,
    until,
    onSame: (here, counterpart, tip) => {
      if (tip.ordinal === witness?.ordinal) assertWitness(witness, tip, here);
      if (translate.has(here.position)) translated.set(here.position, counterpart.position);
      if (translate.has(counterpart.position)) translated.set(counterpart.position, counterpart.position);
    },
    onProgress: (ordinal) => onProgress?.('proving', ordinal),
    ...(signal && { signal }),
  });
  assertProven(proof, until);
  if (witness && witness.ordinal > until) throw endsEarly(until, witness.ordinal);
  const { tip, position, streams, streamsDigest } = proof.to;
  const after = position === undefined ? {} : { after: position };
  const [foreign] = await to.readAll({ ...after, limit: 1 });
  if (foreign) throw new LogDiffersError(`Somebody else writes to the target: ${named(foreign, until + 1)}.`);
  return {
    ordinal: tip.ordinal,
    head: tip.head.toString('hex'),
    streams,
    streamsDigest,
    behind: await from.countAfter(proof.from.position, MAX_COUNTED),
    translated,
  };
}

const endsEarly = (ordinal: number, chained: number): LogDiffersError =>
  new LogDiffersError(
    `The source ends with ordinal ${ordinal} and its own chain with ${chained}: events are missing, or it is the log of another installation. Run nimo log verify before moving it.`,
  );

function assertBeginning({ next, to: { tip } }: Comparison): void {
  if (!next.to) return;
  const ordinal = tip.ordinal + 1;
  if (!next.from)
    throw new LogDiffersError(
      `The source ends with ordinal ${tip.ordinal} and the target goes on with ${named(next.to, ordinal)}. Are the two the right way round?`,
    );
  throw new LogDiffersError(
    `The target is not the beginning of the source. The first event that differs is ordinal ${ordinal}: the source has ${named(next.from)}, the target ${named(next.to)}. Nothing was written.`,
  );
}

/** A log that is compared with itself a moment later: only somebody else's hands, or a broken store, get here. */
function assertProven({ from, to, next }: Comparison, until: number): void {
  const isSame = from.tip.head.equals(to.tip.head) && from.streamsDigest === to.streamsDigest;
  if (from.tip.ordinal === until && isSame) return;
  const said = next.to ? named(next.to) : 'nothing';
  throw new LogDiffersError(
    `The copy is not what it should be. The first event that differs is ordinal ${to.tip.ordinal + 1}: the source has ${next.from ? named(next.from) : 'nothing'}, the target ${said}. Begin again with an empty target.`,
  );
}

function assertWitness(witness: ChainTip, tip: ChainTip, event: RecordedEvent): void {
  if (witness.head.equals(tip.head)) return;
  throw new LogDiffersError(
    `The source does not lead to its own chain, or is the log of another installation: they part before ${named(event, tip.ordinal)}. Run nimo log verify before moving it.`,
  );
}

function named({ type, streamId, revision, id }: RecordedEvent, ordinal?: number): string {
  return `${ordinal === undefined ? '' : `ordinal ${ordinal}, `}${type} ${id} (${streamId}, revision ${revision})`;
}

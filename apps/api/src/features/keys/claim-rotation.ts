import { Inject, Injectable } from '@nestjs/common';
import type { Authority, ClaimKind } from '@nimo/domain';
import type { EventStore, Position, RecordedEvent } from '@nimo/event-store';
import { commandStep, type CommandContext } from '../../platform/commands/command-context.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { ClaimReconciler, type ReclaimOutcome } from '../accounts/claim-reconciler.js';

const EVENT_PAGE_SIZE = 2_000;
const CLAIM_CONCURRENCY = 8;
/** Give up after this many claims if every one matches neither key: the keys must be wrong. */
const MAX_UNMATCHED_CLAIMS = 20;
const CLAIM_EVENTS = new Set(['ClaimReserved', 'ClaimConfirmed']);

export type ClaimCounts = Readonly<Record<ReclaimOutcome, number>>;

export interface ClaimScan {
  readonly counts: ClaimCounts;
  /** Every claim up to this position is made under the current key. */
  readonly position: Position | undefined;
}

/** None of the first claims matches either key. */
export class ClaimKeyMismatchError extends Error {
  override readonly name = 'ClaimKeyMismatchError';
}

interface Claimed {
  readonly kind: ClaimKind;
  readonly studentId: string;
}

/** Scans the log for claims and claims each value that a student still holds under the current key as well. */
@Injectable()
export class ClaimRotation {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly reconciler: ClaimReconciler,
  ) {}

  /**
   * @param after resume position of an earlier scan
   * @param onPosition called with each position to resume from
   * @throws ClaimKeyMismatchError if the keys do not belong to this log
   */
  async run(
    context: CommandContext<Authority>,
    { after, isDry = false, onPosition, signal }: ClaimScanOptions,
  ): Promise<ClaimScan> {
    const scan = new ScanProgress(after === undefined);
    let position = after;
    let scanned = 0;
    for (let read = after; ;) {
      signal?.throwIfAborted();
      const page = await this.store.readAll({
        limit: EVENT_PAGE_SIZE,
        ...(read !== undefined && { after: read }),
      });
      const last = page.at(-1);
      if (!last) break;
      for (const batch of scan.unseenClaims(page)) {
        signal?.throwIfAborted();
        await Promise.all(
          batch.map(async (claimed) => {
            const step = commandStep(context, claimName(claimed));
            scan.record(claimed, await this.reconciler.reclaim(step, { ...claimed, isDry }));
          }),
        );
        scan.assertKeysMatch(MAX_UNMATCHED_CLAIMS);
      }
      read = last.position;
      scanned += page.length;
      // Claims still in progress are left to the next scan.
      if (scan.isComplete) position = read;
      if (position !== undefined) await onPosition?.(position, scanned);
    }
    scan.assertKeysMatch(1);
    return { counts: scan.counts, position };
  }
}

interface ClaimScanOptions {
  readonly after?: Position | undefined;
  /** Changes nothing; `claimed` counts what a real run would claim. */
  readonly isDry?: boolean;
  readonly onPosition?: (position: Position, scanned: number) => Promise<void>;
  readonly signal?: AbortSignal;
}

class ScanProgress {
  readonly counts: Record<ReclaimOutcome, number> = {
    ...{ noValue: 0, existing: 0, claimed: 0, inProgress: 0, taken: 0, notFound: 0 },
  };
  private readonly done = new Set<string>();

  /** @param isNew starts at the beginning of the log; a resumed scan has already proved the keys right */
  constructor(private readonly isNew: boolean) {}

  /** In batches to run concurrently. */
  unseenClaims(events: readonly RecordedEvent[]): readonly (readonly Claimed[])[] {
    const open = extractClaims(events).filter((claimed) => !this.done.has(claimName(claimed)));
    return Array.from({ length: Math.ceil(open.length / CLAIM_CONCURRENCY) }, (_, at) =>
      open.slice(at * CLAIM_CONCURRENCY, (at + 1) * CLAIM_CONCURRENCY),
    );
  }

  record(claimed: Claimed, outcome: ReclaimOutcome): void {
    this.counts[outcome] += 1;
    this.done.add(claimName(claimed));
  }

  get isComplete(): boolean {
    return this.counts.inProgress === 0 && !this.isMismatch(1);
  }

  assertKeysMatch(limit: number): void {
    if (this.isMismatch(limit)) throw new ClaimKeyMismatchError();
  }

  private isMismatch(limit: number): boolean {
    const { existing, claimed, notFound } = this.counts;
    return this.isNew && notFound >= limit && existing + claimed === 0;
  }
}

const claimName = ({ kind, studentId }: Claimed): string => `${kind} ${studentId}`;

/** Skips claims of erased students, which carry no ID. */
function extractClaims(events: readonly RecordedEvent[]): readonly Claimed[] {
  const found = new Map<string, Claimed>();
  for (const { type, data } of events) {
    if (!CLAIM_EVENTS.has(type)) continue;
    const { kind, studentId } = data;
    if (typeof studentId !== 'string' || studentId === '') continue;
    const claimed = { kind: kind as ClaimKind, studentId };
    found.set(claimName(claimed), claimed);
  }
  return [...found.values()];
}

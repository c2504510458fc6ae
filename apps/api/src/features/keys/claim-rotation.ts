import { Inject, Injectable } from '@nestjs/common';
import type { Authority, ClaimKind } from '@nimo/domain';
import type { EventStore, Position, RecordedEvent } from '@nimo/event-store';
import { stepOf, type CommandContext } from '../../platform/commands/command-context.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { CarriedValues, type ClaimedAnew } from '../accounts/carried-values.js';

const EVENTS_AT_ONCE = 2_000;
const CLAIMS_AT_ONCE = 8;
/** So many that fit neither key and none that does: the keys are wrong, and there is no use in going on. */
const HOPELESS = 20;
const CLAIMED = new Set(['ClaimReserved', 'ClaimConfirmed']);

export type ClaimCounts = Readonly<Record<ClaimedAnew, number>>;

export interface ClaimWalk {
  readonly counts: ClaimCounts;
  /** Everything before it is claimed by the present key. */
  readonly place: Position | undefined;
}

/** The walk ended early: none of the first claims is one that the keys name. */
export class ClaimsUnfitError extends Error {
  override readonly name = 'ClaimsUnfitError';
}

interface Claimed {
  readonly kind: ClaimKind;
  readonly studentId: string;
}

/** Looks through the log for whoever ever claimed something, and has what each carries by now claimed by the present key too. */
@Injectable()
export class ClaimRotation {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly carried: CarriedValues,
  ) {}

  /**
   * @param after where an earlier walk ended
   * @param onPlace told when everything up to there is done, to be noted
   * @throws ClaimsUnfitError where the keys are not those of the log
   */
  async run(
    context: CommandContext<Authority>,
    { after, isDry = false, onPlace, signal }: ClaimWalkOptions,
  ): Promise<ClaimWalk> {
    const walk = new Walk(after === undefined);
    let place = after;
    let looked = 0;
    for (let read = after; ;) {
      signal?.throwIfAborted();
      const page = await this.store.readAll({
        limit: EVENTS_AT_ONCE,
        ...(read !== undefined && { after: read }),
      });
      const last = page.at(-1);
      if (!last) break;
      for (const some of walk.notYetLookedAt(page)) {
        signal?.throwIfAborted();
        await Promise.all(
          some.map(async (claimed) => {
            const step = stepOf(context, nameOf(claimed));
            walk.found(claimed, await this.carried.claimAnew(step, { ...claimed, isDry }));
          }),
        );
        walk.assertHopeful(HOPELESS);
      }
      read = last.position;
      looked += page.length;
      // What is still open is met again by the next walk.
      if (walk.isWhole) place = read;
      if (place !== undefined) await onPlace?.(place, looked);
    }
    walk.assertHopeful(1);
    return { counts: walk.counts, place };
  }
}

interface ClaimWalkOptions {
  readonly after?: Position | undefined;
  /** Looks only: what is `claimed` is what would be. */
  readonly isDry?: boolean;
  readonly onPlace?: (place: Position, looked: number) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** What a walk has found so far. */
class Walk {
  readonly counts: Record<ClaimedAnew, number> = {
    ...{ nothing: 0, there: 0, claimed: 0, 'under way': 0, taken: 0, unfit: 0 },
  };
  private readonly done = new Set<string>();

  /** @param isNew from the beginning of the log: an earlier one has shown that the keys are right */
  constructor(private readonly isNew: boolean) {}

  /** A few at once. */
  notYetLookedAt(events: readonly RecordedEvent[]): readonly (readonly Claimed[])[] {
    const open = claimedIn(events).filter((claimed) => !this.done.has(nameOf(claimed)));
    return Array.from({ length: Math.ceil(open.length / CLAIMS_AT_ONCE) }, (_, at) =>
      open.slice(at * CLAIMS_AT_ONCE, (at + 1) * CLAIMS_AT_ONCE),
    );
  }

  found(claimed: Claimed, what: ClaimedAnew): void {
    this.counts[what] += 1;
    this.done.add(nameOf(claimed));
  }

  get isWhole(): boolean {
    return this.counts['under way'] === 0 && !this.isHopeless(1);
  }

  assertHopeful(most: number): void {
    if (this.isHopeless(most)) throw new ClaimsUnfitError();
  }

  private isHopeless(most: number): boolean {
    const { there, claimed, unfit } = this.counts;
    return this.isNew && unfit >= most && there + claimed === 0;
  }
}

const nameOf = ({ kind, studentId }: Claimed): string => `${kind} ${studentId}`;

/** A claim of somebody erased names nobody. */
function claimedIn(events: readonly RecordedEvent[]): readonly Claimed[] {
  const found = new Map<string, Claimed>();
  for (const { type, data } of events) {
    if (!CLAIMED.has(type)) continue;
    const { kind, studentId } = data;
    if (typeof studentId !== 'string' || studentId === '') continue;
    const claimed = { kind: kind as ClaimKind, studentId };
    found.set(nameOf(claimed), claimed);
  }
  return [...found.values()];
}

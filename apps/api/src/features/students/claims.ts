import { Injectable } from '@nestjs/common';
import {
  aggregate,
  claimDecider,
  confirmClaim,
  DomainError,
  isOfficialUserName,
  lapsedHolder,
  releaseClaim,
  reserveClaim,
  studentDecider,
  type Authority,
  type ClaimKind,
  type ClaimState,
} from '@nimo/domain';
import { stepOf, type CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { ClaimHasher } from '../../platform/personal-data/claim-hash.js';
import { usesClaim } from './student-state.js';

/** Longer than any command takes, so that only an abandoned reservation lapses. */
const RESERVED_FOR_MS = 10 * 60_000;

export interface ClaimedValue {
  readonly kind: ClaimKind;
  readonly value: string;
}

/** A claim as it was seen, to be released only where nothing happened to it since. */
export interface SeenClaim {
  readonly kind: ClaimKind;
  readonly claim: string;
  readonly state: ClaimState;
  readonly revision: number | null;
}

/**
 * Keeps user names, phones and e-mail addresses unique without an append over two streams: reserve, let the student's own stream
 * say it, confirm. What is abandoned between is settled from the student's stream, by whoever comes next or by the worker.
 */
@Injectable()
export class Claims {
  constructor(
    private readonly commands: CommandRunner,
    private readonly hasher: ClaimHasher,
  ) {}

  /** Who holds the value by what the log says now, however far the read side is. */
  async holderOf({ kind, value }: ClaimedValue): Promise<string | undefined> {
    const claim = this.hasher.hash(kind, value);
    const state = await this.stateOf(kind, claim);
    if (state.status === 'free') return undefined;
    const lapsed = lapsedHolder(state, this.commands.now());
    if (lapsed !== undefined && !(await this.uses(kind, claim, lapsed))) return undefined;
    return state.studentId;
  }

  /** @throws DomainError where somebody else holds the value */
  async reserve(context: CommandContext<Authority>, claimed: ClaimedValue, studentId: string): Promise<void> {
    const { kind, value } = claimed;
    if (context.actor.kind === 'student' && (await this.isOfficial(claimed, studentId)))
      throw new DomainError('USERNAME_TAKEN');
    const claim = this.hasher.hash(kind, value);
    const now = this.commands.now();
    const expiresAt = new Date(Date.parse(now) + RESERVED_FOR_MS).toISOString();
    const lapsed = lapsedHolder(await this.stateOf(kind, claim), now);
    const lapsedHolderUsesIt = lapsed !== undefined && (await this.uses(kind, claim, lapsed));
    const { duplicate } = await this.commands.run(stepOf(context, `reserve-${kind}`), {
      on: aggregate(claimDecider, kind, claim),
      decide: (state) => {
        // Another holder lapsed meanwhile: not looked at, so not taken from.
        const usesIt = lapsedHolder(state, now) === lapsed ? lapsedHolderUsesIt : true;
        return reserveClaim({ kind, claim, studentId, now, expiresAt, lapsedHolderUsesIt: usesIt }, state);
      },
    });
    // A command that is repeated late may find that its reservation went to somebody else.
    if (duplicate && (await this.holderOf(claimed)) !== studentId) throw new DomainError('CLAIM_LOST');
  }

  async confirm(
    context: CommandContext<Authority>,
    { kind, value }: ClaimedValue,
    studentId: string,
  ): Promise<void> {
    await this.confirmClaim(context, kind, this.hasher.hash(kind, value), studentId);
  }

  /** Whoever had such a name before it was kept for staff keeps it. */
  private async isOfficial(claimed: ClaimedValue, studentId: string): Promise<boolean> {
    if (claimed.kind !== 'username' || !isOfficialUserName(claimed.value)) return false;
    return (await this.holderOf(claimed)) !== studentId;
  }

  /** To be looked at before the student's stream: what happens to the claim after that is seen by `release`. */
  async see({ kind, value }: ClaimedValue): Promise<SeenClaim> {
    return this.seen(kind, this.hasher.hash(kind, value));
  }

  /** Whether the student may be about to use it: reserved, and not lapsed. */
  isInUse({ state }: SeenClaim, studentId: string): boolean {
    return (
      state.status === 'reserved' &&
      state.studentId === studentId &&
      lapsedHolder(state, this.commands.now()) === undefined
    );
  }

  /** Gives up what the student was seen to hold and not to use. */
  async release(
    context: CommandContext<Authority>,
    { kind, claim, revision }: SeenClaim,
    studentId: string,
  ): Promise<void> {
    const seen = aggregate(claimDecider, kind, claim);
    await this.commands.run(stepOf(context, `release-${kind}-${claim}`), {
      on: seen,
      decide: (state, streams) =>
        releaseClaim({ kind, claim, studentId, isAsSeen: streams.revision(seen) === revision }, state),
    });
  }

  /**
   * Confirms an abandoned reservation that the student's stream carries, and releases any other.
   * @returns false while it has not lapsed
   */
  async settleAbandoned(
    context: CommandContext<Authority>,
    {
      kind,
      claim,
      studentId,
    }: { readonly kind: ClaimKind; readonly claim: string; readonly studentId: string },
  ): Promise<boolean> {
    const seen = await this.seen(kind, claim);
    const { state } = seen;
    if (state.status !== 'reserved' || state.studentId !== studentId) return true;
    if (lapsedHolder(state, this.commands.now()) === undefined) return false;
    if (await this.uses(kind, claim, studentId)) await this.confirmClaim(context, kind, claim, studentId);
    else await this.release(context, seen, studentId);
    return true;
  }

  private async confirmClaim(
    context: CommandContext<Authority>,
    kind: ClaimKind,
    claim: string,
    studentId: string,
  ): Promise<void> {
    await this.commands.run(stepOf(context, `confirm-${kind}`), {
      on: aggregate(claimDecider, kind, claim),
      decide: (state) => confirmClaim({ kind, claim, studentId }, state),
    });
  }

  private async uses(kind: ClaimKind, claim: string, studentId: string): Promise<boolean> {
    const student = await this.commands.state(aggregate(studentDecider, studentId));
    return student !== undefined && usesClaim(student, kind, claim, this.hasher);
  }

  private async stateOf(kind: ClaimKind, claim: string): Promise<ClaimState> {
    return (await this.seen(kind, claim)).state;
  }

  private async seen(kind: ClaimKind, claim: string): Promise<SeenClaim> {
    const seen = aggregate(claimDecider, kind, claim);
    const streams = await this.commands.look([seen]);
    return { kind, claim, state: streams.state(seen), revision: streams.revision(seen) };
  }
}

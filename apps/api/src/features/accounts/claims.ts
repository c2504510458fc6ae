import {
  aggregate,
  type Authority,
  claimDecider,
  type ClaimKind,
  type ClaimState,
  confirmClaim,
  DomainError,
  isOfficialUserName,
  lapsedHolder,
  releaseClaim,
  reserveClaim,
  type Student,
  studentDecider,
} from '@nimo/domain';
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import { type CommandContext, stepOf } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';

/** What the student carries of that kind. */
export function valueOf(student: Student, kind: ClaimKind): string | null {
  switch (kind) {
    case 'username':
      return student.profile?.userName ?? null;
    case 'phone':
      return student.phone;
    case 'email':
      return student.email;
  }
}

/** Longer than any command takes, so that only an abandoned reservation lapses. */
const RESERVED_FOR_MS = 10 * 60_000;

export interface ClaimedValue {
  readonly kind: ClaimKind;
  readonly value: string;
}

/** A claim as it was seen, to be released only where nothing happened to it since. */
export interface SeenClaim {
  readonly kind: ClaimKind;
  /** A stream for each key of the hashes: one, or two while the key rotates. */
  readonly streams: readonly SeenStream[];
}

interface SeenStream {
  readonly claim: string;
  readonly state: ClaimState;
  readonly revision: number | null;
}

const isHeld = ({ state }: SeenStream, studentId: string): boolean =>
  state.status !== 'free' && state.studentId === studentId;

/** Whether the student has the value by every key. */
export const isHeldBy = ({ streams }: SeenClaim, studentId: string): boolean =>
  streams.every((stream) => isHeld(stream, studentId));

/** The same, for good. */
export const isConfirmedFor = (seen: SeenClaim, studentId: string): boolean =>
  isHeldBy(seen, studentId) && seen.streams.every(({ state }) => state.status === 'confirmed');

/** Whether the student has the value by some key. */
export const isHeldSomehow = ({ streams }: SeenClaim, studentId: string): boolean =>
  streams.some((stream) => isHeld(stream, studentId));

/**
 * Keeps user names, phones and e-mail addresses unique without an append over two streams: reserve, let the student's own stream
 * say it, confirm. What is abandoned between is settled from the student's stream, by whoever comes next or by the worker.
 *
 * While the key of the hashes rotates, a value is claimed by both keys: by the former one first, where processes that know no other one
 * claim it too. Of two who want it, whatever key each knows of, one gets it.
 */
@Injectable()
export class Claims {
  constructor(
    private readonly commands: CommandRunner,
    private readonly hasher: ClaimHasher,
  ) {}

  /** Who holds the value by what the log says now, however far the read side is. */
  async holderOf({ kind, value }: ClaimedValue): Promise<string | undefined> {
    const { streams } = await this.see({ kind, value });
    // Whoever has it for good before whoever is about to.
    const taken = streams.toSorted((one, other) => rankOf(one) - rankOf(other));
    for (const { claim, state } of taken) {
      if (state.status === 'free') continue;
      const lapsed = lapsedHolder(state, this.commands.now());
      if (lapsed === undefined || (await this.uses(kind, claim, lapsed))) return state.studentId;
    }
    return undefined;
  }

  /** @throws DomainError where somebody else holds the value */
  async reserve(context: CommandContext<Authority>, claimed: ClaimedValue, studentId: string): Promise<void> {
    const { kind, value } = claimed;
    if (context.actor.kind === 'student' && (await this.isOfficial(claimed, studentId)))
      throw new DomainError('USERNAME_TAKEN');
    const duplicates: boolean[] = [];
    for (const claim of this.hasher.hashes(kind, value))
      duplicates.push(await this.reserveOne(context, kind, claim, studentId));
    // A command that is repeated late may find that its reservation went to somebody else.
    if (duplicates.includes(true) && (await this.holderOf(claimed)) !== studentId)
      throw new DomainError('CLAIM_LOST');
  }

  /** @returns whether it was done before, by the same command */
  private async reserveOne(
    context: CommandContext<Authority>,
    kind: ClaimKind,
    claim: string,
    studentId: string,
  ): Promise<boolean> {
    const now = this.commands.now();
    const expiresAt = new Date(Date.parse(now) + RESERVED_FOR_MS).toISOString();
    const lapsed = lapsedHolder(await this.stateOf(kind, claim), now);
    const lapsedHolderUsesIt = lapsed !== undefined && (await this.uses(kind, claim, lapsed));
    const { duplicate } = await this.commands.run(stepOf(context, `reserve-${kind}-${claim}`), {
      on: aggregate(claimDecider, kind, claim),
      decide: (state) => {
        // Another holder lapsed meanwhile: not looked at, so not taken from.
        const usesIt = lapsedHolder(state, now) === lapsed ? lapsedHolderUsesIt : true;
        const held = { kind, claim, studentId, reservationId: randomUUID() };
        return reserveClaim({ ...held, now, expiresAt, lapsedHolderUsesIt: usesIt }, state);
      },
    });
    return duplicate;
  }

  async confirm(
    context: CommandContext<Authority>,
    { kind, value }: ClaimedValue,
    studentId: string,
  ): Promise<void> {
    const [first, ...rest] = (await this.see({ kind, value })).streams;
    if (first) await this.confirmClaim(context, kind, first.claim, studentId);
    for (const stream of rest) {
      // Reserved by a process that knows the former key alone.
      if (!isHeld(stream, studentId)) await this.reserveOne(context, kind, stream.claim, studentId);
      await this.confirmClaim(context, kind, stream.claim, studentId);
    }
  }

  /**
   * Claims by every key what the student has by one of them. What is reserved here and not confirmed is settled as any reservation.
   * @returns false where somebody else has it by another key
   */
  async spread(
    context: CommandContext<Authority>,
    claimed: ClaimedValue,
    studentId: string,
  ): Promise<boolean> {
    const { kind } = claimed;
    const { streams } = await this.see(claimed);
    try {
      for (const stream of streams) {
        if (!isHeld(stream, studentId)) await this.reserveOne(context, kind, stream.claim, studentId);
        if (!isHeld(stream, studentId) || stream.state.status !== 'confirmed')
          await this.confirmClaim(context, kind, stream.claim, studentId);
      }
      return true;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return false;
    }
  }

  /** Whoever had such a name before it was kept for staff keeps it. */
  private async isOfficial(claimed: ClaimedValue, studentId: string): Promise<boolean> {
    if (claimed.kind !== 'username' || !isOfficialUserName(claimed.value)) return false;
    return (await this.holderOf(claimed)) !== studentId;
  }

  /** To be looked at before the student's stream: what happens to the claim after that is seen by `release`. */
  async see({ kind, value }: ClaimedValue): Promise<SeenClaim> {
    return { kind, streams: await this.seen(kind, this.hasher.hashes(kind, value)) };
  }

  /** Whether the student may be about to use it: reserved, and not lapsed. */
  isInUse({ streams }: SeenClaim, studentId: string): boolean {
    const now = this.commands.now();
    return streams.some(
      ({ state }) =>
        state.status === 'reserved' &&
        state.studentId === studentId &&
        lapsedHolder(state, now) === undefined,
    );
  }

  /** Gives up what the student was seen to hold and not to use. */
  async release(
    context: CommandContext<Authority>,
    { kind, streams }: SeenClaim,
    studentId: string,
  ): Promise<void> {
    for (const stream of streams) await this.releaseOne(context, kind, stream, studentId);
  }

  private async releaseOne(
    context: CommandContext<Authority>,
    kind: ClaimKind,
    { claim, revision }: SeenStream,
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
    const [seen] = await this.seen(kind, [claim]);
    if (!seen) return true;
    const { state } = seen;
    if (state.status !== 'reserved' || state.studentId !== studentId) return true;
    if (lapsedHolder(state, this.commands.now()) === undefined) return false;
    if (await this.uses(kind, claim, studentId)) await this.confirmClaim(context, kind, claim, studentId);
    else await this.releaseOne(context, kind, seen, studentId);
    return true;
  }

  private async confirmClaim(
    context: CommandContext<Authority>,
    kind: ClaimKind,
    claim: string,
    studentId: string,
  ): Promise<void> {
    await this.commands.run(stepOf(context, `confirm-${kind}-${claim}`), {
      on: aggregate(claimDecider, kind, claim),
      decide: (state) => confirmClaim({ kind, claim, studentId }, state),
    });
  }

  private async uses(kind: ClaimKind, claim: string, studentId: string): Promise<boolean> {
    const student = await this.commands.state(aggregate(studentDecider, studentId));
    const value = student && valueOf(student, kind);
    return value != null && this.hasher.hashes(kind, value).includes(claim);
  }

  private async stateOf(kind: ClaimKind, claim: string): Promise<ClaimState> {
    return (await this.seen(kind, [claim]))[0]?.state ?? claimDecider.initial;
  }

  private async seen(kind: ClaimKind, claims: readonly string[]): Promise<readonly SeenStream[]> {
    const seen = claims.map((claim) => ({ claim, on: aggregate(claimDecider, kind, claim) }));
    const streams = await this.commands.look(seen.map(({ on }) => on));
    return seen.map(({ claim, on }) => ({ claim, state: streams.state(on), revision: streams.revision(on) }));
  }
}

const RANKS = { confirmed: 0, reserved: 1, free: 2 } as const satisfies Record<ClaimState['status'], number>;
const rankOf = ({ state }: SeenStream): number => RANKS[state.status];

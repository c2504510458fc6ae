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
import { claimStep, type CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';

/** The student's user name, phone or email. */
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

/** Longer than any command takes, so that only abandoned reservations lapse. */
const RESERVED_FOR_MS = 10 * 60_000;

export interface ClaimedValue {
  readonly kind: ClaimKind;
  readonly value: string;
}

/** A claim as read. Released only if unchanged since. */
export interface ClaimSnapshot {
  readonly kind: ClaimKind;
  /** One stream per hash key: one, or two during a key rotation. */
  readonly streams: readonly StreamSnapshot[];
}

interface StreamSnapshot {
  readonly claim: string;
  readonly state: ClaimState;
  readonly revision: number | null;
}

const isStreamHeld = ({ state }: StreamSnapshot, studentId: string): boolean =>
  state.status !== 'free' && state.studentId === studentId;

/** Whether the student holds the value under every hash key. */
export const isHeldBy = ({ streams }: ClaimSnapshot, studentId: string): boolean =>
  streams.every((stream) => isStreamHeld(stream, studentId));

/** Whether the student holds the value under every hash key, confirmed. */
export const isConfirmedFor = (seen: ClaimSnapshot, studentId: string): boolean =>
  isHeldBy(seen, studentId) && seen.streams.every(({ state }) => state.status === 'confirmed');

/** Whether the student holds the value under at least one hash key. */
export const isHeldUnderAnyKey = ({ streams }: ClaimSnapshot, studentId: string): boolean =>
  streams.some((stream) => isStreamHeld(stream, studentId));

/**
 * Keeps user names, phones and email addresses unique without an append across streams: reserve, append to the student's stream,
 * confirm. The next claimant or the worker settles abandoned reservations from the student's stream.
 *
 * During a key rotation a value is claimed under both hash keys, the previous one first, because processes that know only that key
 * claim it there. So only one claimant wins, whichever keys each process knows.
 */
@Injectable()
export class Claims {
  constructor(
    private readonly commands: CommandRunner,
    private readonly hasher: ClaimHasher,
  ) {}

  /** The student who holds the value, read from the log. */
  async holderOf({ kind, value }: ClaimedValue): Promise<string | undefined> {
    const { streams } = await this.read({ kind, value });
    // Confirmed holders before reservations.
    const taken = streams.toSorted((one, other) => rankOf(one) - rankOf(other));
    for (const { claim, state } of taken) {
      if (state.status === 'free') continue;
      const lapsed = lapsedHolder(state, this.commands.now());
      if (lapsed === undefined || (await this.uses(kind, claim, lapsed))) return state.studentId;
    }
    return undefined;
  }

  /** @throws DomainError if another student holds the value */
  async reserve(context: CommandContext<Authority>, claimed: ClaimedValue, studentId: string): Promise<void> {
    const { kind, value } = claimed;
    if (context.actor.kind === 'student' && (await this.isReservedForStaff(claimed, studentId)))
      throw new DomainError('USERNAME_TAKEN');
    const duplicates: boolean[] = [];
    for (const claim of this.hasher.hashes(kind, value))
      duplicates.push(await this.reserveOne(context, kind, claim, studentId));
    // A late retry may find that its reservation lapsed and another student took the value.
    if (duplicates.includes(true) && (await this.holderOf(claimed)) !== studentId)
      throw new DomainError('CLAIM_LOST');
  }

  /** @returns whether the same command had already reserved it */
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
    const { duplicate } = await this.commands.run(claimStep(context, `reserve-${kind}-${claim}`), {
      on: aggregate(claimDecider, kind, claim),
      decide: (state) => {
        // Another holder lapsed since it was read. Whether it uses the value is unknown, so assume it does.
        const isUsed = lapsedHolder(state, now) === lapsed ? lapsedHolderUsesIt : true;
        const held = { kind, claim, studentId, reservationId: randomUUID() };
        return reserveClaim({ ...held, now, expiresAt, lapsedHolderUsesIt: isUsed }, state);
      },
    });
    return duplicate;
  }

  async confirm(
    context: CommandContext<Authority>,
    { kind, value }: ClaimedValue,
    studentId: string,
  ): Promise<void> {
    const [first, ...rest] = (await this.read({ kind, value })).streams;
    if (first) await this.confirmClaim(context, kind, first.claim, studentId);
    for (const stream of rest) {
      // Reserved by a process that knows only the previous key.
      if (!isStreamHeld(stream, studentId)) await this.reserveOne(context, kind, stream.claim, studentId);
      await this.confirmClaim(context, kind, stream.claim, studentId);
    }
  }

  /**
   * Claims under every hash key a value that the student holds under one of them.
   * @returns false if another student holds it under another key
   */
  async claimUnderAllKeys(
    context: CommandContext<Authority>,
    claimed: ClaimedValue,
    studentId: string,
  ): Promise<boolean> {
    const { kind } = claimed;
    const { streams } = await this.read(claimed);
    try {
      for (const stream of streams) {
        if (!isStreamHeld(stream, studentId)) await this.reserveOne(context, kind, stream.claim, studentId);
        if (!isStreamHeld(stream, studentId) || stream.state.status !== 'confirmed')
          await this.confirmClaim(context, kind, stream.claim, studentId);
      }
      return true;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return false;
    }
  }

  /** Whether the name is reserved for staff. Students who had it before the rule keep it. */
  private async isReservedForStaff(claimed: ClaimedValue, studentId: string): Promise<boolean> {
    if (claimed.kind !== 'username' || !isOfficialUserName(claimed.value)) return false;
    return (await this.holderOf(claimed)) !== studentId;
  }

  /** Read this before the student's stream: `release` then detects changes to the claim made in between. */
  async read({ kind, value }: ClaimedValue): Promise<ClaimSnapshot> {
    return { kind, streams: await this.readStreams(kind, this.hasher.hashes(kind, value)) };
  }

  /** Whether the student has a pending reservation that has not lapsed. */
  isInUse({ streams }: ClaimSnapshot, studentId: string): boolean {
    const now = this.commands.now();
    return streams.some(
      ({ state }) =>
        state.status === 'reserved' &&
        state.studentId === studentId &&
        lapsedHolder(state, now) === undefined,
    );
  }

  /** Releases a claim that the student holds but does not use. Does nothing if the claim changed since it was read. */
  async release(
    context: CommandContext<Authority>,
    { kind, streams }: ClaimSnapshot,
    studentId: string,
  ): Promise<void> {
    for (const stream of streams) await this.releaseOne(context, kind, stream, studentId);
  }

  private async releaseOne(
    context: CommandContext<Authority>,
    kind: ClaimKind,
    { claim, revision }: StreamSnapshot,
    studentId: string,
  ): Promise<void> {
    const target = aggregate(claimDecider, kind, claim);
    await this.commands.run(claimStep(context, `release-${kind}-${claim}`), {
      on: target,
      decide: (state, streams) =>
        releaseClaim({ kind, claim, studentId, isUnchanged: streams.revision(target) === revision }, state),
    });
  }

  /**
   * Confirms an abandoned reservation if the student's stream has the value, otherwise releases it.
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
    const [seen] = await this.readStreams(kind, [claim]);
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
    await this.commands.run(claimStep(context, `confirm-${kind}-${claim}`), {
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
    return (await this.readStreams(kind, [claim]))[0]?.state ?? claimDecider.initial;
  }

  private async readStreams(kind: ClaimKind, claims: readonly string[]): Promise<readonly StreamSnapshot[]> {
    const targets = claims.map((claim) => ({ claim, on: aggregate(claimDecider, kind, claim) }));
    const streams = await this.commands.load(targets.map(({ on }) => on));
    return targets.map(({ claim, on }) => ({
      claim,
      state: streams.state(on),
      revision: streams.revision(on),
    }));
  }
}

const RANKS = { confirmed: 0, reserved: 1, free: 2 } as const satisfies Record<ClaimState['status'], number>;
const rankOf = ({ state }: StreamSnapshot): number => RANKS[state.status];

import { Inject, Injectable } from '@nestjs/common';
import {
  aggregate,
  changeProfile,
  contactChanged,
  DomainError,
  emailKey,
  studentDecider,
  userNameKey,
  type Authority,
  type ClaimKind,
  type Student,
  type StudentEvent,
} from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { commandStep, type CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { decidersByStream, DomainStreams } from '../../platform/commands/domain-streams.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import {
  Claims,
  isConfirmedFor,
  isHeldBy,
  isHeldUnderAnyKey,
  type ClaimSnapshot,
  valueOf,
} from './claims.js';

const NAME_CHARACTERS_KEPT = 40;
const ID_CHARACTERS = 8;

export type ReclaimOutcome = 'noValue' | 'existing' | 'claimed' | 'inProgress' | 'taken' | 'notFound';

interface ValueHistory {
  /** Oldest first. */
  readonly all: readonly string[];
  readonly current: string | undefined;
}

interface KindRules {
  /** Field of student events that holds the value. */
  readonly field: string;
  /** Normalised form: values with the same key share a claim. */
  readonly keyOf: (value: string) => string;
  /** Fallback if the value is lost and no previous one is free. */
  readonly fallback: (lost: string, studentId: string) => string | null;
  readonly revertTo: (student: Student, to: string | null) => readonly StudentEvent[];
}

const RULES: Readonly<Record<ClaimKind, KindRules>> = {
  username: {
    field: 'userName',
    keyOf: userNameKey,
    fallback: (lost, id) => `${lost.slice(0, NAME_CHARACTERS_KEPT)}_${id.slice(0, ID_CHARACTERS)}`,
    // A user name cannot be removed.
    revertTo: (student, to) =>
      student.blocked || to === null ? [] : changeProfile({ userName: to }, student),
  },
  phone: {
    field: 'phone',
    keyOf: (phone) => phone,
    fallback: () => null,
    revertTo: ({ studentId }, to) => [contactChanged(studentId, 'phone', to)],
  },
  email: {
    field: 'email',
    keyOf: emailKey,
    fallback: () => null,
    revertTo: ({ studentId }, to) => [contactChanged(studentId, 'email', to)],
  },
};

/**
 * Reconciles the user name, phone or email of a student with the claim on it. If a command stalls past its reservation and another
 * student takes the value, the student reverts to the previous one.
 */
@Injectable()
export class ClaimReconciler {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
  ) {}

  /**
   * Ensures that the student holds the claim on their current value.
   * @returns false if it was lost and the student reverted to another value
   * @throws DomainError CLAIM_LOST if no fallback is free
   */
  async ensureClaimed(
    context: CommandContext<Authority>,
    kind: ClaimKind,
    studentId: string,
  ): Promise<boolean> {
    const { current, all } = await this.historyOf(kind, studentId);
    if (current === undefined || (await this.ensureValue(context, kind, current, studentId))) return true;
    for (const candidate of fallbacks(kind, all, current, studentId)) {
      if (candidate !== null && !(await this.ensureValue(context, kind, candidate, studentId))) continue;
      await this.revert(context, kind, studentId, current, candidate);
      return false;
    }
    throw new DomainError('CLAIM_LOST');
  }

  /**
   * Claims the current value under the current hash key as well as the previous one, and releases previous values.
   * @param isDry only reports
   * @returns the state found; `notFound` if the student holds the claim under no key
   */
  async reclaim(
    context: CommandContext<Authority>,
    {
      kind,
      studentId,
      isDry,
    }: { readonly kind: ClaimKind; readonly studentId: string; readonly isDry: boolean },
  ): Promise<ReclaimOutcome> {
    const { current } = await this.historyOf(kind, studentId);
    if (current === undefined) return 'noValue';
    const claimed = { kind, value: current };
    const found = this.stateOf(await this.claims.read(claimed), studentId);
    if (isDry) return found;
    const done =
      found !== 'claimed' || (await this.claims.claimUnderAllKeys(context, claimed, studentId))
        ? found
        : 'taken';
    // Last, because a change made meanwhile leaves the value just claimed as a previous one.
    const { all } = await this.historyOf(kind, studentId);
    if (new Set(all.map(RULES[kind].keyOf)).size > 1) await this.releasePrevious(context, kind, studentId);
    return done;
  }

  private stateOf(
    seen: ClaimSnapshot,
    studentId: string,
  ): 'existing' | 'claimed' | 'inProgress' | 'notFound' {
    if (!isHeldUnderAnyKey(seen, studentId)) return 'notFound';
    const isUnderWay = this.claims.isInUse(seen, studentId);
    if (isConfirmedFor(seen, studentId) || (isUnderWay && isHeldBy(seen, studentId))) return 'existing';
    return isUnderWay ? 'inProgress' : 'claimed';
  }

  /**
   * Releases the student's previous values.
   * @returns false while one of them has a pending reservation
   */
  async releasePrevious(
    context: CommandContext<Authority>,
    kind: ClaimKind,
    studentId: string,
  ): Promise<boolean> {
    const { keyOf } = RULES[kind];
    const { all } = await this.historyOf(kind, studentId);
    let isDone = true;
    for (const value of new Set(all.map(keyOf))) {
      // Read the claim before the student's stream: reclaiming the value in between changes the claim.
      const seen = await this.claims.read({ kind, value });
      const { current } = await this.historyOf(kind, studentId);
      if (current !== undefined && keyOf(current) === value) continue;
      if (this.claims.isInUse(seen, studentId)) isDone = false;
      else await this.claims.release(context, seen, studentId);
    }
    return isDone;
  }

  /** Claims the value unless the student already holds it. @returns false if another student holds it */
  private async ensureValue(
    context: CommandContext<Authority>,
    kind: ClaimKind,
    value: string,
    studentId: string,
  ): Promise<boolean> {
    const claimed = { kind, value };
    const seen = await this.claims.read(claimed);
    if (isConfirmedFor(seen, studentId)) return true;
    const isOwn = isHeldBy(seen, studentId);
    const step = commandStep(context, `secure ${RULES[kind].keyOf(value)}`);
    try {
      if (!isOwn) await this.claims.reserve(step, claimed, studentId);
      await this.claims.confirm(step, claimed, studentId);
      return true;
    } catch (error) {
      if (!(error instanceof DomainError) || !LOST_CLAIM_CODES.has(error.code)) throw error;
      return false;
    }
  }

  private async revert(
    context: CommandContext<Authority>,
    kind: ClaimKind,
    studentId: string,
    lost: string,
    to: string | null,
  ): Promise<void> {
    const { keyOf, revertTo } = RULES[kind];
    await this.commands.run(commandStep(context, `put back ${keyOf(lost)}`), {
      on: aggregate(studentDecider, studentId),
      // If the value changed again meanwhile, that change handles its own claim.
      decide: (state) => (state && valueOf(state, kind) === lost ? revertTo(state, to) : []),
      visibleIn: ['students'],
    });
  }

  private async historyOf(kind: ClaimKind, studentId: string): Promise<ValueHistory> {
    const student = aggregate(studentDecider, studentId);
    const events = await this.store.readStream(student.streamId);
    const all = events.flatMap(({ data }) => {
      const value = data[RULES[kind].field];
      return typeof value === 'string' ? [value] : [];
    });
    const loaded = new Map([[student.streamId, events]]);
    const state = new DomainStreams(decidersByStream([student]), loaded, this.commands.now()).state(student);
    return { all, current: (state && valueOf(state, kind)) ?? undefined };
  }
}

const LOST_CLAIM_CODES: ReadonlySet<string> = new Set([
  'USERNAME_TAKEN',
  'USER_EXISTS',
  'EMAIL_TAKEN',
  'CLAIM_LOST',
]);

/** Previous values, latest first, then the fallback. */
function fallbacks(
  kind: ClaimKind,
  all: readonly string[],
  current: string,
  studentId: string,
): (string | null)[] {
  const { keyOf, fallback } = RULES[kind];
  const previous = all.toReversed().filter((value) => keyOf(value) !== keyOf(current));
  return [...previous, fallback(current, studentId)];
}

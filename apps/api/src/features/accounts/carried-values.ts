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
import { stepOf, type CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { DomainStreams } from '../../platform/commands/domain-streams.js';
import { decidersOf } from '../../platform/commands/stream-folds.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { Claims, isConfirmedFor, isHeldBy, isHeldSomehow, type SeenClaim, valueOf } from './claims.js';

const NAME_CHARACTERS_KEPT = 40;
const ID_CHARACTERS = 8;

export type ClaimedAnew = 'nothing' | 'there' | 'claimed' | 'under way' | 'taken' | 'unfit';

interface Values {
  /** Latest last. */
  readonly all: readonly string[];
  readonly current: string | undefined;
}

interface CarriedKind {
  /** Where events of a student's stream carry it. */
  readonly field: string;
  /** Values that are one to the claim have one key. */
  readonly keyOf: (value: string) => string;
  /** After all former ones: what a student goes back to who lost the value. */
  readonly lastResort: (lost: string, studentId: string) => string | null;
  readonly goBack: (student: Student, to: string | null) => readonly StudentEvent[];
}

const CARRIED: Readonly<Record<ClaimKind, CarriedKind>> = {
  username: {
    field: 'userName',
    keyOf: userNameKey,
    lastResort: (lost, id) => `${lost.slice(0, NAME_CHARACTERS_KEPT)}_${id.slice(0, ID_CHARACTERS)}`,
    // Nobody is without a name.
    goBack: (student, to) => (student.blocked || to === null ? [] : changeProfile({ userName: to }, student)),
  },
  phone: {
    field: 'phone',
    keyOf: (phone) => phone,
    lastResort: () => null,
    goBack: ({ studentId }, to) => [contactChanged(studentId, 'phone', to)],
  },
  email: {
    field: 'email',
    keyOf: emailKey,
    lastResort: () => null,
    goBack: ({ studentId }, to) => [contactChanged(studentId, 'email', to)],
  },
};

/**
 * Keeps the user name, phone or address that a student carries and the claim on it together. A command that was held up for longer than
 * its reservation lasts finds the value taken by somebody else, after it gave it to its student: then the student goes back to the one before.
 */
@Injectable()
export class CarriedValues {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
  ) {}

  /**
   * Sees to it that the student holds the value that the student carries.
   * @returns false where that was lost, and the student carries another one now
   */
  async keep(context: CommandContext<Authority>, kind: ClaimKind, studentId: string): Promise<boolean> {
    const { current, all } = await this.valuesOf(kind, studentId);
    if (current === undefined || (await this.isSecured(context, kind, current, studentId))) return true;
    for (const candidate of substitutes(kind, all, current, studentId)) {
      if (candidate !== null && !(await this.isSecured(context, kind, candidate, studentId))) continue;
      await this.putBack(context, kind, studentId, current, candidate);
      return false;
    }
    throw new DomainError('CLAIM_LOST');
  }

  /**
   * Has what the student carries claimed by the present key of the hashes too, where the former one claims it; and what the student
   * carried before by neither.
   * @param isDry looks only
   * @returns what was found: `unfit` where no key names a claim of the student on it
   */
  async claimAnew(
    context: CommandContext<Authority>,
    {
      kind,
      studentId,
      isDry,
    }: { readonly kind: ClaimKind; readonly studentId: string; readonly isDry: boolean },
  ): Promise<ClaimedAnew> {
    const { current } = await this.valuesOf(kind, studentId);
    if (current === undefined) return 'nothing';
    const claimed = { kind, value: current };
    const found = this.standingOf(await this.claims.see(claimed), studentId);
    if (isDry) return found;
    const done =
      found !== 'claimed' || (await this.claims.spread(context, claimed, studentId)) ? found : 'taken';
    // After it: whoever changed the value meanwhile left what was just claimed behind.
    const { all } = await this.valuesOf(kind, studentId);
    if (new Set(all.map(CARRIED[kind].keyOf)).size > 1) await this.releaseFormer(context, kind, studentId);
    return done;
  }

  private standingOf(seen: SeenClaim, studentId: string): 'there' | 'claimed' | 'under way' | 'unfit' {
    if (!isHeldSomehow(seen, studentId)) return 'unfit';
    const isUnderWay = this.claims.isInUse(seen, studentId);
    if (isConfirmedFor(seen, studentId) || (isUnderWay && isHeldBy(seen, studentId))) return 'there';
    return isUnderWay ? 'under way' : 'claimed';
  }

  /**
   * Releases what the student carried before.
   * @returns false while one of those values may be about to be taken again
   */
  async releaseFormer(
    context: CommandContext<Authority>,
    kind: ClaimKind,
    studentId: string,
  ): Promise<boolean> {
    const { keyOf } = CARRIED[kind];
    const { all } = await this.valuesOf(kind, studentId);
    let isDone = true;
    for (const value of new Set(all.map(keyOf))) {
      // The claim first and the student's stream after it: a value that is taken again in between changes the claim.
      const seen = await this.claims.see({ kind, value });
      const { current } = await this.valuesOf(kind, studentId);
      if (current !== undefined && keyOf(current) === value) continue;
      if (this.claims.isInUse(seen, studentId)) isDone = false;
      else await this.claims.release(context, seen, studentId);
    }
    return isDone;
  }

  /** Claims it, unless it is the student's by now; false where it is somebody else's. */
  private async isSecured(
    context: CommandContext<Authority>,
    kind: ClaimKind,
    value: string,
    studentId: string,
  ): Promise<boolean> {
    const claimed = { kind, value };
    const seen = await this.claims.see(claimed);
    if (isConfirmedFor(seen, studentId)) return true;
    const isOwn = isHeldBy(seen, studentId);
    const step = stepOf(context, `secure ${CARRIED[kind].keyOf(value)}`);
    try {
      if (!isOwn) await this.claims.reserve(step, claimed, studentId);
      await this.claims.confirm(step, claimed, studentId);
      return true;
    } catch (error) {
      if (!(error instanceof DomainError) || !LOST.has(error.code)) throw error;
      return false;
    }
  }

  private async putBack(
    context: CommandContext<Authority>,
    kind: ClaimKind,
    studentId: string,
    lost: string,
    to: string | null,
  ): Promise<void> {
    const { keyOf, goBack } = CARRIED[kind];
    await this.commands.run(stepOf(context, `put back ${keyOf(lost)}`), {
      on: aggregate(studentDecider, studentId),
      // Changed again meanwhile: that value has its own claim.
      decide: (state) => (state && valueOf(state, kind) === lost ? goBack(state, to) : []),
      visibleIn: ['students'],
    });
  }

  private async valuesOf(kind: ClaimKind, studentId: string): Promise<Values> {
    const student = aggregate(studentDecider, studentId);
    const events = await this.store.readStream(student.streamId);
    const all = events.flatMap(({ data }) => {
      const value = data[CARRIED[kind].field];
      return typeof value === 'string' ? [value] : [];
    });
    const state = new DomainStreams(decidersOf([student]), new Map([[student.streamId, events]])).state(
      student,
    );
    return { all, current: (state && valueOf(state, kind)) ?? undefined };
  }
}

const LOST: ReadonlySet<string> = new Set(['USERNAME_TAKEN', 'USER_EXISTS', 'EMAIL_TAKEN', 'CLAIM_LOST']);

/** Earlier values, the latest first; then what is left to somebody who never had one. */
function substitutes(
  kind: ClaimKind,
  all: readonly string[],
  current: string,
  studentId: string,
): (string | null)[] {
  const { keyOf, lastResort } = CARRIED[kind];
  const former = all.toReversed().filter((value) => keyOf(value) !== keyOf(current));
  return [...former, lastResort(current, studentId)];
}

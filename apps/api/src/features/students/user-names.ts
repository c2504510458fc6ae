import { Inject, Injectable } from '@nestjs/common';
import {
  aggregate,
  changeProfile,
  DomainError,
  studentDecider,
  userNameKey,
  type Authority,
} from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { stepOf, type CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { DomainStreams } from '../../platform/commands/domain-streams.js';
import { decidersOf } from '../../platform/commands/stream-folds.js';
import { EVENT_STORE } from '../../platform/runtime/tokens.js';
import { Claims } from './claims.js';

const NAME_CHARACTERS_KEPT = 40;
const ID_CHARACTERS = 8;

interface Names {
  /** Latest last. */
  readonly all: readonly string[];
  readonly current: string | undefined;
}

/**
 * Keeps the name that a student carries and the claim on it together. A command that was held up for longer than its reservation
 * lasts finds the name taken by somebody else, after it gave it to its student: then the student goes back to the name before.
 */
@Injectable()
export class UserNames {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
  ) {}

  /**
   * Sees to it that the student holds the name that the student carries.
   * @returns false where that was lost, and the student carries another one now
   */
  async keep(context: CommandContext<Authority>, studentId: string): Promise<boolean> {
    const { current, all } = await this.namesOf(studentId);
    if (current === undefined || (await this.isSecured(context, current, studentId))) return true;
    for (const candidate of substitutes(all, current, studentId)) {
      if (!(await this.isSecured(context, candidate, studentId))) continue;
      await this.putBack(context, studentId, current, candidate);
      return false;
    }
    throw new DomainError('CLAIM_LOST');
  }

  /**
   * Releases what the student was called before.
   * @returns false while one of those names may be about to be taken again
   */
  async releaseFormer(context: CommandContext<Authority>, studentId: string): Promise<boolean> {
    const { all } = await this.namesOf(studentId);
    let isDone = true;
    for (const value of new Set(all.map(userNameKey))) {
      // The claim first and the student's stream after it: a name that is taken again in between changes the claim.
      const seen = await this.claims.see({ kind: 'username', value });
      const { current } = await this.namesOf(studentId);
      if (current !== undefined && userNameKey(current) === value) continue;
      if (this.claims.isInUse(seen, studentId)) isDone = false;
      else await this.claims.release(context, seen, studentId);
    }
    return isDone;
  }

  /** Claims it, unless it is the student's by now; false where it is somebody else's. */
  private async isSecured(
    context: CommandContext<Authority>,
    value: string,
    studentId: string,
  ): Promise<boolean> {
    const claimed = { kind: 'username', value } as const;
    const { state } = await this.claims.see(claimed);
    const isOwn = state.status !== 'free' && state.studentId === studentId;
    if (isOwn && state.status === 'confirmed') return true;
    const step = stepOf(context, `secure ${userNameKey(value)}`);
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
    studentId: string,
    lost: string,
    userName: string,
  ): Promise<void> {
    await this.commands.run(stepOf(context, `put back ${userNameKey(lost)}`), {
      on: aggregate(studentDecider, studentId),
      decide: (state) => {
        // Renamed again meanwhile: that name has its own claim.
        const isLost = state?.profile?.userName === lost && !state.blocked;
        return isLost ? changeProfile({ userName }, state) : [];
      },
      visibleIn: ['students'],
    });
  }

  private async namesOf(studentId: string): Promise<Names> {
    const student = aggregate(studentDecider, studentId);
    const events = await this.store.readStream(student.streamId);
    const all = events.flatMap(({ data }) =>
      typeof data['userName'] === 'string' ? [data['userName']] : [],
    );
    const state = new DomainStreams(decidersOf([student]), new Map([[student.streamId, events]])).state(
      student,
    );
    return { all, current: state?.profile?.userName };
  }
}

const LOST: ReadonlySet<string> = new Set(['USERNAME_TAKEN', 'CLAIM_LOST']);

/** Earlier names, the latest first; for somebody who never had one, the name with a part of the id. */
function substitutes(all: readonly string[], current: string, studentId: string): string[] {
  const key = userNameKey(current);
  const former = all.toReversed().filter((name) => userNameKey(name) !== key);
  return [...former, `${current.slice(0, NAME_CHARACTERS_KEPT)}_${studentId.slice(0, ID_CHARACTERS)}`];
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inject } from '@nestjs/common';
import {
  aggregate,
  DomainError,
  requestErasure,
  type Authority,
  ERASURE_DELAY_DAYS,
  studentDecider,
  withdrawErasure,
} from '@nimo/domain';
import { listMaintainerIds } from '@nimo/projections';
import { Pool } from 'pg';
import { commandStep, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { SHARED_CLOCK, type SharedClock } from '../../../platform/config/tokens.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';

const DAY_MS = 24 * 60 * 60_000;

interface ErasureRequest {
  readonly withWords: boolean;
  readonly reason: string | null;
  /** Skips the grace period. */
  readonly atOnce?: boolean;
}

/** Requests an erasure. For the student, or for staff with a reason. */
export class RequestErasure extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly studentId: string,
    readonly request: ErasureRequest,
  ) {
    super();
  }
}

@CommandHandler(RequestErasure)
export class RequestErasureHandler implements ICommandHandler<RequestErasure> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly pool: Pool,
    @Inject(SHARED_CLOCK) private readonly clock: SharedClock,
  ) {}

  async execute({ context, studentId, request }: RequestErasure): Promise<void> {
    const { withWords, reason, atOnce = false } = request;
    const now = (await this.clock()).getTime();
    const dueAt = new Date(atOnce ? now : now + ERASURE_DELAY_DAYS * DAY_MS).toISOString();
    const isLast = await this.isLastMaintainer(studentId);
    const student = aggregate(studentDecider, studentId);
    const { events, duplicate } = await this.commands.run(context, {
      on: student,
      decide: (state) =>
        requestErasure({ by: context.by, withWords, reason, dueAt, isLastMaintainer: isLast }, state),
      visibleIn: STAFF_ACTION_PROJECTIONS,
    });
    // The other maintainers may have requested theirs at the same moment. Without a grace period, the worker keeps the last one.
    if (atOnce || duplicate || events.length === 0 || !(await this.isLastMaintainer(studentId))) return;
    await this.commands.run(commandStep(context, 'withdrawal'), {
      on: student,
      decide: (state) => withdrawErasure({ by: context.by, now: new Date(now).toISOString() }, state),
      visibleIn: STAFF_ACTION_PROJECTIONS,
    });
    throw new DomainError('LAST_MAINTAINER');
  }

  /** Whether all other maintainers are scheduled for deletion, according to the log. */
  private async isLastMaintainer(studentId: string): Promise<boolean> {
    const ids = await listMaintainerIds(this.pool);
    if (!ids.includes(studentId)) return false;
    const others = ids.filter((id) => id !== studentId).map((id) => aggregate(studentDecider, id));
    const streams = await this.commands.load(others);
    return others.every((other) => streams.state(other)?.erasure !== null);
  }
}

/** Withdraws a requested erasure. For anyone who may request it. */
export class WithdrawErasure extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly studentId: string,
  ) {
    super();
  }
}

@CommandHandler(WithdrawErasure)
export class WithdrawErasureHandler implements ICommandHandler<WithdrawErasure> {
  constructor(
    private readonly commands: CommandRunner,
    @Inject(SHARED_CLOCK) private readonly clock: SharedClock,
  ) {}

  async execute({ context, studentId }: WithdrawErasure): Promise<void> {
    const now = (await this.clock()).toISOString();
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => withdrawErasure({ by: context.by, now }, state),
      visibleIn: STAFF_ACTION_PROJECTIONS,
    });
  }
}

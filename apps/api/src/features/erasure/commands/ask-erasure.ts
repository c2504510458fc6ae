import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inject } from '@nestjs/common';
import {
  aggregate,
  askErasure,
  type Authority,
  ERASURE_DELAY_DAYS,
  studentDecider,
  withdrawErasure,
} from '@nimo/domain';
import { isLastMaintainer } from '@nimo/projections';
import { Pool } from 'pg';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { SHARED_CLOCK, type SharedClock } from '../../../platform/config/tokens.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

const DAY_MS = 24 * 60 * 60_000;

interface ErasureWish {
  readonly withWords: boolean;
  readonly reason: string | null;
  /** Without the days to change one's mind. */
  readonly atOnce?: boolean;
}

/** By the student, or by somebody of the staff with a reason. */
export class AskErasure extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly studentId: string,
    readonly wish: ErasureWish,
  ) {
    super();
  }
}

@CommandHandler(AskErasure)
export class AskErasureHandler implements ICommandHandler<AskErasure> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly pool: Pool,
    @Inject(SHARED_CLOCK) private readonly clock: SharedClock,
  ) {}

  async execute({ context, studentId, wish }: AskErasure): Promise<void> {
    const { withWords, reason, atOnce = false } = wish;
    const now = (await this.clock()).getTime();
    const dueAt = new Date(atOnce ? now : now + ERASURE_DELAY_DAYS * DAY_MS).toISOString();
    const isLast = await isLastMaintainer(this.pool, studentId);
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) =>
        askErasure({ by: context.by, withWords, reason, dueAt, isLastMaintainer: isLast }, state),
      visibleIn: ACT_VISIBLE_IN,
    });
  }
}

/** By whoever may ask for it. */
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
      visibleIn: ACT_VISIBLE_IN,
    });
  }
}

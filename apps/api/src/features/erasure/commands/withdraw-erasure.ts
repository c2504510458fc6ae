import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inject } from '@nestjs/common';
import { aggregate, studentDecider, withdrawErasure, type Authority } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { SHARED_CLOCK, type SharedClock } from '../../../platform/runtime/tokens.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

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

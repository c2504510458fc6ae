import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, caseDecider, reverseInvalidation } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

/** The case's votes count again. */
export class ReverseInvalidation extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly caseId: string,
    readonly reason: string,
  ) {
    super();
  }
}

@CommandHandler(ReverseInvalidation)
export class ReverseInvalidationHandler implements ICommandHandler<ReverseInvalidation> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, caseId, reason }: ReverseInvalidation): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(caseDecider, caseId),
      decide: (state) => reverseInvalidation({ actor: context.by, reason }, state),
      visibleIn: ['patterns', 'questions', 'leaderboard'],
    });
  }
}

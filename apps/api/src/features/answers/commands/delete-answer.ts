import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, answerDecider, deleteAnswer } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

export class DeleteAnswer extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly answerId: string,
    /** A moderator's; the author needs none. */
    readonly reason: string | null,
  ) {
    super();
  }
}

@CommandHandler(DeleteAnswer)
export class DeleteAnswerHandler implements ICommandHandler<DeleteAnswer> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, answerId, reason }: DeleteAnswer): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(answerDecider, answerId),
      decide: (state) => deleteAnswer({ actor: context.by, reason }, state),
      visibleIn: ['questions'],
    });
  }
}

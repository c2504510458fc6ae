import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, deleteQuestion, questionDecider } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

export class DeleteQuestion extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly questionId: string,
    /** A moderator's; the author needs none. */
    readonly reason: string | null,
  ) {
    super();
  }
}

@CommandHandler(DeleteQuestion)
export class DeleteQuestionHandler implements ICommandHandler<DeleteQuestion> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, questionId, reason }: DeleteQuestion): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(questionDecider, questionId),
      decide: (state) => deleteQuestion({ actor: context.by, reason }, state),
      visibleIn: ['questions'],
    });
  }
}

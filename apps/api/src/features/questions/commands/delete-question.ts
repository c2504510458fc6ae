import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { deleteQuestion, evolveQuestion, initialQuestion, questionStream } from '@nimo/domain';
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
    const streamId = questionStream(questionId);
    await this.commands.run(context, {
      streams: [streamId],
      decide: (streams) => ({
        streamId,
        events: deleteQuestion(
          { actor: context.by, reason },
          streams.state(streamId, initialQuestion, evolveQuestion),
        ),
      }),
      visibleIn: ['questions'],
    });
  }
}

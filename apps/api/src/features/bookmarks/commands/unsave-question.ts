import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, bookmarkDecider, DomainError, unsaveQuestion } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { PostLocator } from '../../posts/post-locator.js';

export class UnsaveQuestion extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly questionId: string,
  ) {
    super();
  }
}

@CommandHandler(UnsaveQuestion)
export class UnsaveQuestionHandler implements ICommandHandler<UnsaveQuestion> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly posts: PostLocator,
  ) {}

  async execute({ context, questionId }: UnsaveQuestion): Promise<void> {
    const { by } = context;
    const question = await this.posts.find('QUESTION', questionId);
    if (!question) throw new DomainError('QUESTION_NOT_FOUND');
    await this.commands.run(context, {
      on: aggregate(bookmarkDecider, questionId, by.studentId),
      decide: (state) =>
        unsaveQuestion(
          // One's own list can always be tidied, whatever became of the question.
          { actor: by, question: { questionId, spaceId: question.spaceId, removed: false } },
          state,
        ),
      visibleIn: ['questions'],
    });
  }
}

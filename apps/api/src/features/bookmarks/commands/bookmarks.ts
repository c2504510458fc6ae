import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  bookmarkDecider,
  DomainError,
  membershipDecider,
  saveQuestion,
  unsaveQuestion,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { PostLocator } from '../../posts/post-locator.js';
import { isMember, isQuestionRemoved, removalAggregates } from '../../posts/post-facts.js';

export class SaveQuestion extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly questionId: string,
  ) {
    super();
  }
}

@CommandHandler(SaveQuestion)
export class SaveQuestionHandler implements ICommandHandler<SaveQuestion> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly posts: PostLocator,
  ) {}

  async execute({ context, questionId }: SaveQuestion): Promise<void> {
    const { by } = context;
    const question = await this.posts.find('QUESTION', questionId);
    if (!question) throw new DomainError('QUESTION_NOT_FOUND');
    const { spaceId } = question;
    await this.commands.run(context, {
      on: aggregate(bookmarkDecider, questionId, by.studentId),
      reads: [...removalAggregates(question), aggregate(membershipDecider, spaceId, by.studentId)],
      decide: (state, streams) => {
        const command = {
          actor: by,
          isMember: isMember(streams, spaceId, by.studentId),
          question: { questionId, spaceId, removed: isQuestionRemoved(streams, questionId) },
        };
        return saveQuestion(command, state);
      },
      visibleIn: ['questions'],
    });
  }
}

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
          // Bookmarks can be removed even if the question is gone.
          { actor: by, question: { questionId, spaceId: question.spaceId, removed: false } },
          state,
        ),
      visibleIn: ['questions'],
    });
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  deleteQuestion,
  DomainError,
  editQuestion,
  membershipDecider,
  questionDecider,
  type PostBaseline,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { acceptedBody } from '../../../platform/rich-text/accepted-body.js';
import { PostLocator } from '../../posts/post-locator.js';
import { isMember, isUpheld, removalAggregates } from '../../posts/post-facts.js';

interface QuestionChange {
  readonly questionId: string;
  /** Space the caller expects the question in. Questions cannot be moved. */
  readonly spaceId?: string | undefined;
  readonly title: string;
  /** Unchanged if omitted. */
  readonly body?: string | undefined;
  /** Picture locations allowed in the body; the resolver has checked their owner. Defaults to none. */
  readonly pictures?: readonly string[];
  /** Attached pictures. Unchanged if omitted. */
  readonly imageUrls?: readonly string[] | undefined;
  /** Version the author was editing. */
  readonly seen?: PostBaseline | undefined;
}

export class EditQuestion extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly change: QuestionChange,
  ) {
    super();
  }
}

@CommandHandler(EditQuestion)
export class EditQuestionHandler implements ICommandHandler<EditQuestion> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly posts: PostLocator,
  ) {}

  async execute({ context, change }: EditQuestion): Promise<void> {
    const { by } = context;
    const question = await this.posts.find('QUESTION', change.questionId);
    if (!question || (change.spaceId ?? question.spaceId) !== question.spaceId)
      throw new DomainError('QUESTION_NOT_FOUND');
    const body = change.body === undefined ? undefined : acceptedBody(change.body, change.pictures);
    await this.commands.run(context, {
      on: aggregate(questionDecider, question.postId),
      reads: [...removalAggregates(question), aggregate(membershipDecider, question.spaceId, by.studentId)],
      decide: (state, streams) => {
        const command = {
          actor: by,
          isMember: isMember(streams, question.spaceId, by.studentId),
          removedByModerator: isUpheld(streams, question.postId),
          title: change.title,
          body: body ?? state?.body ?? '',
          imageUrls: change.imageUrls,
          seen: change.seen,
        };
        return editQuestion(command, state);
      },
      visibleIn: ['questions'],
    });
  }
}

export class DeleteQuestion extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly questionId: string,
    /** Required from moderators; null for the author. */
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

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  answerDecider,
  deleteAnswer,
  DomainError,
  editAnswer,
  membershipDecider,
  postAnswer,
  type PostBaseline,
} from '@nimo/domain';
import { type CommandContext, deterministicId } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { acceptedBody } from '../../../platform/rich-text/accepted-body.js';
import { PostLocator } from '../../posts/post-locator.js';
import { isMember, isQuestionRemoved, postFacts, removalAggregates } from '../../posts/post-facts.js';

export interface NewAnswer {
  readonly questionId: string;
  readonly body: string;
  /** Picture locations allowed in the body; the caller has checked who owns them. Default: none. */
  readonly pictures?: readonly string[];
  readonly imageUrls: readonly string[];
}

/** Posts an answer. Returns its id. */
export class PostAnswer extends Command<string> {
  constructor(
    readonly context: CommandContext,
    readonly answer: NewAnswer,
  ) {
    super();
  }
}

@CommandHandler(PostAnswer)
export class PostAnswerHandler implements ICommandHandler<PostAnswer> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly posts: PostLocator,
  ) {}

  async execute({ context, answer }: PostAnswer): Promise<string> {
    const { by } = context;
    const { questionId, imageUrls, pictures } = answer;
    const question = await this.posts.find('QUESTION', questionId);
    if (!question) throw new DomainError('QUESTION_NOT_FOUND');
    const { spaceId, postAuthorId: authorId } = question;
    const answerId = deterministicId(context, 'answer');
    const body = acceptedBody(answer.body, pictures);
    await this.commands.run(context, {
      on: aggregate(answerDecider, answerId),
      reads: [...removalAggregates(question), aggregate(membershipDecider, spaceId, by.studentId)],
      decide: (state, streams) => {
        const command = {
          actor: by,
          isMember: isMember(streams, spaceId, by.studentId),
          answerId,
          question: { questionId, spaceId, authorId, removed: isQuestionRemoved(streams, questionId) },
          body,
          imageUrls,
        };
        return postAnswer(command, state);
      },
      visibleIn: ['questions'],
    });
    return answerId;
  }
}

interface AnswerChange {
  readonly answerId: string;
  readonly body: string;
  /** Picture locations allowed in the body; the caller has checked who owns them. Default: none. */
  readonly pictures?: readonly string[];
  /** Attached images. Unchanged if undefined. */
  readonly imageUrls?: readonly string[] | undefined;
  /** The version that the author edited, to detect conflicts. */
  readonly seen?: PostBaseline | undefined;
}

export class EditAnswer extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly change: AnswerChange,
  ) {
    super();
  }
}

@CommandHandler(EditAnswer)
export class EditAnswerHandler implements ICommandHandler<EditAnswer> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly posts: PostLocator,
  ) {}

  async execute({ context, change }: EditAnswer): Promise<void> {
    const { by } = context;
    const answer = await this.posts.find('ANSWER', change.answerId);
    if (!answer) throw new DomainError('ANSWER_NOT_FOUND');
    const body = acceptedBody(change.body, change.pictures);
    await this.commands.run(context, {
      on: aggregate(answerDecider, answer.postId),
      reads: [...removalAggregates(answer), aggregate(membershipDecider, answer.spaceId, by.studentId)],
      decide: (state, streams) => {
        const command = {
          actor: by,
          isMember: isMember(streams, answer.spaceId, by.studentId),
          removed: postFacts(streams, answer).removed,
          body,
          seen: change.seen,
          ...(change.imageUrls && { imageUrls: change.imageUrls }),
        };
        return editAnswer(command, state);
      },
      visibleIn: ['questions'],
    });
  }
}

export class DeleteAnswer extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly answerId: string,
    /** Required of moderators; null for the author. */
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

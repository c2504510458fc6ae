import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  answerDecider,
  deleteAnswer,
  DomainError,
  editAnswer,
  membershipDecider,
  type SeenPost,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { acceptedBody } from '../../../platform/rich-text/accepted-body.js';
import { PostLocator } from '../../posts/post-locator.js';
import { isMember, postFacts, standingAggregates } from '../../posts/post-standing.js';

interface AnswerChange {
  readonly answerId: string;
  readonly body: string;
  /** Locations that may stand in the body: whose they are was asked at the edge. Without, none may. */
  readonly pictures?: readonly string[];
  /** Those beside the text. Left out: they stay. */
  readonly imageUrls?: readonly string[] | undefined;
  /** What its author had before their eyes. */
  readonly seen?: SeenPost | undefined;
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
      reads: [...standingAggregates(answer), aggregate(membershipDecider, answer.spaceId, by.studentId)],
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

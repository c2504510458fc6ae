import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, commentDecider, deleteComment, DomainError } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { PostLocator } from '../../posts/post-locator.js';

export class DeleteComment extends Command<void> {
  constructor(
    readonly context: CommandContext,
    /** COMMENT stands under an answer. */
    readonly postType: 'COMMENT' | 'QUESTION_COMMENT',
    readonly commentId: string,
    /** A moderator's; the author needs none. */
    readonly reason: string | null,
  ) {
    super();
  }
}

@CommandHandler(DeleteComment)
export class DeleteCommentHandler implements ICommandHandler<DeleteComment> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly posts: PostLocator,
  ) {}

  async execute({ context, postType, commentId, reason }: DeleteComment): Promise<void> {
    if (!(await this.posts.find(postType, commentId))) throw new DomainError('COMMENT_NOT_FOUND');
    await this.commands.run(context, {
      on: aggregate(commentDecider, commentId),
      decide: (state) => deleteComment({ actor: context.by, reason }, state),
      visibleIn: ['questions'],
    });
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  commentDecider,
  deleteComment,
  DomainError,
  membershipDecider,
  mentionedStudentIds,
  namesMentioned,
  postComment,
  type PostType,
} from '@nimo/domain';
import { membersByUserName } from '@nimo/projections';
import { Pool } from 'pg';
import { type CommandContext, deterministicId } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { PostLocator } from '../../posts/post-locator.js';
import { isMember, removalAggregates, votablePostFacts } from '../../posts/post-facts.js';

export interface NewComment {
  readonly parentType: PostType;
  readonly parentId: string;
  /** Plain text; a mention is `@[<studentId>]` or `@[<user name>]`. */
  readonly body: string;
  /** Recognises mentions by id only: a name from another community may belong to someone else here. */
  readonly isImported?: boolean;
}

/** Posts a comment. Returns its id. */
export class PostComment extends Command<string> {
  constructor(
    readonly context: CommandContext,
    readonly comment: NewComment,
  ) {
    super();
  }
}

@CommandHandler(PostComment)
export class PostCommentHandler implements ICommandHandler<PostComment> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly posts: PostLocator,
    private readonly pool: Pool,
  ) {}

  async execute({ context, comment }: PostComment): Promise<string> {
    const { by } = context;
    const { parentType, parentId, body, isImported = false } = comment;
    const located = await this.posts.find(parentType, parentId);
    if (!located) throw new DomainError('POST_NOT_FOUND');
    const parent = { ...located, postType: parentType };
    const commentId = deterministicId(context, 'comment');
    const idsByName = await membersByUserName(
      this.pool,
      parent.spaceId,
      isImported ? [] : namesMentioned(body),
    );
    const named = [...new Set([...mentionedStudentIds(body), ...idsByName.values()])];
    const memberships = [by.studentId, ...named].map((id) =>
      aggregate(membershipDecider, parent.spaceId, id),
    );
    await this.commands.run(context, {
      on: aggregate(commentDecider, commentId),
      reads: [...removalAggregates(parent), ...memberships],
      decide: (state, streams) => {
        const command = {
          actor: by,
          isMember: isMember(streams, parent.spaceId, by.studentId),
          commentId,
          parent: votablePostFacts(streams, parent),
          body,
          idsByName,
          mentionableIds: named.filter((id) => isMember(streams, parent.spaceId, id)),
        };
        return postComment(command, state);
      },
      visibleIn: ['questions'],
    });
    return commentId;
  }
}

export class DeleteComment extends Command<void> {
  constructor(
    readonly context: CommandContext,
    /** COMMENT is on an answer, QUESTION_COMMENT on a question. */
    readonly postType: 'COMMENT' | 'QUESTION_COMMENT',
    readonly commentId: string,
    /** Required of moderators; null for the author. */
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

import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { ANSWER_COMMENTS_PAGE_SIZE, QUESTION_COMMENTS_PAGE_SIZE } from '@nimo/domain';
import { findCommentById, pageOfComments } from '@nimo/projections';
import { Pool } from 'pg';
import {
  assertActsAsSelf,
  CurrentViewer,
  OptionalViewer,
  Public,
  SignedIn,
} from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe, parseIds } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { Confirmation } from '../questions/questions.resolver.js';
import { ReadBack } from '../posts/read-back.js';
import { readerOf } from '../spaces/spaces.resolver.js';
import { Comment, CommentPage } from './comment.type.js';
import { DeleteComment, type NewComment, PostComment } from './commands/comments.js';
import { pageVisibleTo } from '../students/student.types.js';

const NULL_WHEN_STALE = 'Null if the projection has not caught up (`extensions.stale`).';

@Resolver(() => Comment)
export class CommentsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly readBack: ReadBack,
  ) {}

  @Public()
  @Query(() => CommentPage, { description: 'Comments on answers, oldest first. Public.' })
  async getPaginatedComments(
    @OptionalViewer() viewer: Viewer | null,
    @Args('answers', { type: () => [ID] }) answers: string[],
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<CommentPage> {
    const { page, limit } = parsePage(options ?? {}, ANSWER_COMMENTS_PAGE_SIZE);
    const parentIds = parseIds('answers', answers);
    return pageVisibleTo(
      viewer,
      await pageOfComments(this.pool, { parentIds, ...readerOf(viewer), page, limit }),
    );
  }

  @Public()
  @Query(() => CommentPage, { description: 'Comments on a question, oldest first. Public.' })
  async getPaginatedQuestionComments(
    @OptionalViewer() viewer: Viewer | null,
    @Args('question', { type: () => ID }, IdPipe) question: string,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<CommentPage> {
    const { page, limit } = parsePage(options ?? {}, QUESTION_COMMENTS_PAGE_SIZE);
    const query = { parentIds: [question], ...readerOf(viewer), page, limit };
    return pageVisibleTo(viewer, await pageOfComments(this.pool, query));
  }

  @SignedIn()
  @Limited('posts')
  @Mutation(() => Comment, { nullable: true, description: `Comments on an answer. ${NULL_WHEN_STALE}` })
  createComment(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('body', {
      type: () => String,
      description: 'Plain text. Mention students as @[student id] or @[username].',
    })
    body: string,
    @Args('answerId', { type: () => ID }, IdPipe) answerId: string,
    @Args('author', { type: () => ID, nullable: true }) author?: string | null,
  ): Promise<Comment | null> {
    assertActsAsSelf(viewer, author);
    return this.post(request, 'createComment', { parentType: 'ANSWER', parentId: answerId, body });
  }

  @SignedIn()
  @Limited('posts')
  @Mutation(() => Comment, { nullable: true, description: `Comments on a question. ${NULL_WHEN_STALE}` })
  createQuestionComment(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('body', {
      type: () => String,
      description: 'Plain text. Mention students as @[student id] or @[username].',
    })
    body: string,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
    @Args('author', { type: () => ID, nullable: true }) author?: string | null,
  ): Promise<Comment | null> {
    assertActsAsSelf(viewer, author);
    return this.post(request, 'createQuestionComment', {
      parentType: 'QUESTION',
      parentId: questionId,
      body,
    });
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => Confirmation, {
    description: 'Deletes a comment on an answer. For the author, or for a moderator with a reason.',
  })
  deleteCommentById(
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }, IdPipe) id: string,
    @Args('reason', { type: () => String, nullable: true }) reason?: string | null,
  ): Promise<Confirmation> {
    return this.delete(
      new DeleteComment(commandContext(request, 'deleteCommentById'), 'COMMENT', id, reason ?? null),
    );
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => Confirmation, {
    description: 'Deletes a comment on a question. For the author, or for a moderator with a reason.',
  })
  deleteQuestionCommentById(
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }, IdPipe) id: string,
    @Args('reason', { type: () => String, nullable: true }) reason?: string | null,
  ): Promise<Confirmation> {
    const context = commandContext(request, 'deleteQuestionCommentById');
    return this.delete(new DeleteComment(context, 'QUESTION_COMMENT', id, reason ?? null));
  }

  private async post(
    request: RequestContext,
    operation: string,
    comment: NewComment,
  ): Promise<Comment | null> {
    const context = commandContext(request, operation);
    const postId = await this.commands.execute(new PostComment(context, comment));
    const postType = comment.parentType === 'QUESTION' ? 'QUESTION_COMMENT' : 'COMMENT';
    return this.readBack.read(context, { postType, postId }, () => findCommentById(this.pool, postId));
  }

  private async delete(command: DeleteComment): Promise<Confirmation> {
    await this.commands.execute(command);
    return { _id: command.commentId };
  }
}

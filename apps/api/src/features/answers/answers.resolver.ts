import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { ANSWERS_PAGE_SIZE } from '@nimo/domain';
import { findAnswerById, listCommentsOf, pageOfAnswers } from '@nimo/projections';
import DataLoader from 'dataloader';
import { Pool } from 'pg';
import {
  assertActsAsSelf,
  CurrentViewer,
  OptionalViewer,
  Public,
  SignedIn,
} from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandContext, type CommandContext } from '../../platform/commands/command-context.js';
import { IdPipe, parseIds } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { Comment } from '../comments/comment.type.js';
import { Confirmation } from '../questions/questions.resolver.js';
import { ReadBack, SeenAnswer, seenPostOf } from '../posts/read-back.js';
import { readerOf } from '../spaces/spaces.resolver.js';
import { OwnUploads } from '../uploads/own-uploads.js';
import { Answer, AnswerPage } from './answer.type.js';
import { DeleteAnswer, EditAnswer, PostAnswer } from './commands/answers.js';
import { pageVisibleTo, visibleTo } from '../students/student.types.js';

@Resolver(() => Answer)
export class AnswersResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly uploads: OwnUploads,
    private readonly readBack: ReadBack,
  ) {}

  @Public()
  @Query(() => AnswerPage, {
    description: 'Answers to the questions: the accepted answer first, then oldest first. Public.',
  })
  async getPaginatedAnswers(
    @OptionalViewer() viewer: Viewer | null,
    @Args('questions', { type: () => [ID] }) questions: string[],
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<AnswerPage> {
    const { page, limit } = parsePage(options ?? {}, ANSWERS_PAGE_SIZE);
    const questionIds = parseIds('questions', questions);
    const query = { questionIds, ...readerOf(viewer), page, limit };
    return pageVisibleTo(viewer, await pageOfAnswers(this.pool, query));
  }

  @ResolveField(() => [Comment], { description: 'Up to 100 comments, oldest first.' })
  async comments(
    @Parent() answer: Answer,
    @Context() { loaders, viewer }: RequestContext,
  ): Promise<Comment[]> {
    const comments = await loaders
      .of(AnswersResolver, () => new DataLoader((ids: readonly string[]) => listCommentsOf(this.pool, ids)))
      .load(answer._id);
    return comments.map((comment) => visibleTo(viewer, comment));
  }

  @SignedIn()
  @Limited('posts')
  @Mutation(() => Answer, {
    nullable: true,
    description: 'Null if the projection has not caught up (`extensions.stale`).',
  })
  async createAnswer(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('body', { type: () => String }) body: string,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
    @Args('author', { type: () => ID, nullable: true }) author?: string | null,
    @Args('imageUrls', { type: () => [String], nullable: true }) imageUrls?: string[] | null,
  ): Promise<Answer | null> {
    assertActsAsSelf(viewer, author);
    const sent = await this.uploads.assertOwnPost({ body, imageUrls }, viewer.studentId);
    const answer = { questionId, ...sent, body: sent.body ?? body, imageUrls: sent.imageUrls ?? [] };
    const context = commandContext(request, 'createAnswer');
    const answerId = await this.commands.execute(new PostAnswer(context, answer));
    return this.written(context, answerId);
  }

  @SignedIn()
  @Limited('posts', { andOn: ['editsOfOne', 'id'] })
  @Mutation(() => Answer, {
    nullable: true,
    description: 'Images that are not passed stay. Fails if the answer no longer matches `seen`.',
  })
  async updateAnswer(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID }, IdPipe) answerId: string,
    @Args('body', { type: () => String }) body: string,
    @Args('imageUrls', { type: () => [String], nullable: true }) imageUrls?: string[] | null,
    @Args('seen', { type: () => SeenAnswer, nullable: true }) seen?: SeenAnswer | null,
  ): Promise<Answer | null> {
    const sent = await this.uploads.assertOwnPost({ body, imageUrls }, viewer.studentId, async () => {
      const shown = await findAnswerById(this.pool, answerId, viewer.studentId);
      return shown?.imageUrls;
    });
    const change = { answerId, ...sent, body: sent.body ?? body, seen: seenPostOf(seen) };
    const context = commandContext(request, 'updateAnswer');
    await this.commands.execute(new EditAnswer(context, change));
    return this.written(context, answerId);
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => Confirmation, {
    description: 'Deletes an answer. For the author, or for a moderator of the space with a reason.',
  })
  async deleteAnswerById(
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }, IdPipe) id: string,
    @Args('reason', { type: () => String, nullable: true }) reason?: string | null,
  ): Promise<Confirmation> {
    await this.commands.execute(
      new DeleteAnswer(commandContext(request, 'deleteAnswerById'), id, reason ?? null),
    );
    return { _id: id };
  }

  private written(context: CommandContext, postId: string): Promise<Answer | null> {
    const find = () => findAnswerById(this.pool, postId, context.by.studentId);
    return this.readBack.read(context, { postType: 'ANSWER', postId }, find);
  }
}

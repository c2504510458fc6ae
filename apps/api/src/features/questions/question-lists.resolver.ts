import { Args, ID, Info, Int, Query, Resolver } from '@nestjs/graphql';
import { QUESTIONS_PAGE_SIZE, UNSOLVED_PAGE_SIZE } from '@nimo/domain';
import {
  listSavedQuestionIds,
  pageOfQuestions,
  pageOfUnsolvedQuestions,
  type QuestionParts,
} from '@nimo/projections';
import type { GraphQLResolveInfo } from 'graphql';
import { Pool } from 'pg';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import { assertActsAsSelf } from '../../platform/auth/acting-as.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { IdPipe, idsOf, optionalIdOf } from '../../platform/graphql/arguments.js';
import { pageOf, PaginateOptions } from '../../platform/graphql/page.js';
import { asksFor } from '../../platform/graphql/selection.js';
import { assertMember } from '../spaces/space-access.js';
import { placeOf, withCursor } from './question-cursor.js';
import { filtersOf, QuestionQueryVals, SavedQuestionsArgs, sortOf } from './question-filters.input.js';
import { Question, QuestionPage } from './question.type.js';
import { Reference } from './reference.type.js';

/** Told of the space, or of what the viewer did with the question. */
const DETAILS = ['space', 'scope', 'upvotedBy', 'downvotedBy', 'isSaved'];

const partsOf = (info: GraphQLResolveInfo): QuestionParts => ({
  body: asksFor(info, 'docs', 'body'),
  details: DETAILS.some((field) => asksFor(info, 'docs', field)),
});

@Resolver(() => Question)
export class QuestionListsResolver {
  constructor(private readonly pool: Pool) {}

  @SignedIn()
  @Query(() => QuestionPage)
  async getPaginatedQuestions(
    @CurrentViewer() viewer: Viewer,
    @Args('queryVals', { type: () => QuestionQueryVals }) queryVals: QuestionQueryVals,
    @Info() info: GraphQLResolveInfo,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
    @Args('after', { type: () => String, nullable: true }) cursor?: string | null,
  ): Promise<QuestionPage> {
    const filters = filtersOf(queryVals);
    const { page, limit } = pageOf(options ?? {}, QUESTIONS_PAGE_SIZE);
    const sort = sortOf(options?.sort);
    const after = placeOf(cursor, sort);
    const list = await pageOfQuestions(this.pool, {
      ...filters,
      viewerId: viewer.studentId,
      isSaved: queryVals.savedQuestions ?? false,
      sort,
      page,
      after,
      limit,
      parts: partsOf(info),
    });
    assertMember(viewer, filters.spaceId, list.isViewerMember);
    return withCursor(list, { sort, limit, after });
  }

  @SignedIn()
  @Query(() => QuestionPage)
  async getPaginatedSavedQuestions(
    @CurrentViewer() viewer: Viewer,
    @Args() args: SavedQuestionsArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<QuestionPage> {
    assertActsAsSelf(viewer, args.userId);
    const filters = filtersOf(args);
    const { page, limit } = pageOf(args, QUESTIONS_PAGE_SIZE);
    const sort = sortOf(args.sort);
    const after = placeOf(args.after, sort);
    const list = await pageOfQuestions(this.pool, {
      ...filters,
      viewerId: viewer.studentId,
      isSaved: true,
      sort,
      page,
      after,
      limit,
      parts: partsOf(info),
    });
    assertMember(viewer, filters.spaceId, list.isViewerMember);
    return withCursor(list, { sort, limit, after });
  }

  @SignedIn()
  @Query(() => [Reference], { description: 'Ids only, at most 1000, the latest saved first.' })
  async getAllSavedQuestions(
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<Reference[]> {
    assertActsAsSelf(viewer, userId);
    const ids = await listSavedQuestionIds(this.pool, viewer.studentId, optionalIdOf('spaceId', spaceId));
    return ids.map((_id) => ({ _id }));
  }

  @SignedIn()
  @Query(() => QuestionPage)
  async getUnsolvedQuestions(
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Info() info: GraphQLResolveInfo,
    @Args('page', { type: () => Int, nullable: true, defaultValue: 1 }) page?: number | null,
    @Args('limit', { type: () => Int, nullable: true, defaultValue: UNSOLVED_PAGE_SIZE })
    limit?: number | null,
    @Args('subjectIds', { type: () => [ID], nullable: true }) subjectIds?: string[] | null,
    @Args('after', { type: () => String, nullable: true }) cursor?: string | null,
  ): Promise<QuestionPage> {
    const asked = pageOf({ page, limit }, UNSOLVED_PAGE_SIZE);
    const after = placeOf(cursor, 'NEWEST');
    const list = await pageOfUnsolvedQuestions(this.pool, {
      spaceId,
      viewerId: viewer.studentId,
      subjectIds: idsOf('subjectIds', subjectIds ?? []),
      page: asked.page,
      after,
      limit: asked.limit,
      parts: partsOf(info),
    });
    assertMember(viewer, spaceId, list.isViewerMember);
    return withCursor(list, { sort: 'NEWEST', limit: asked.limit, after });
  }
}

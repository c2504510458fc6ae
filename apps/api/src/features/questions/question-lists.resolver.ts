import {
  listSavedQuestionIds,
  type Page,
  pageOfQuestions,
  pageOfUnsolvedQuestions,
  type QuestionParts,
  type QuestionCursor,
  type QuestionSort,
  type QuestionView,
} from '@nimo/projections';
import { Args, ArgsType, Field, ID, Info, InputType, Int, Query, Resolver } from '@nestjs/graphql';
import { QUESTIONS_PAGE_SIZE, UNSOLVED_PAGE_SIZE } from '@nimo/domain';
import type { GraphQLResolveInfo } from 'graphql';
import { Pool } from 'pg';
import { ApiError } from '../../platform/errors/api-error.js';
import {
  assertFixedValue,
  parseId,
  IdPipe,
  parseIds,
  parseOptionalId,
} from '../../platform/graphql/arguments.js';
import { assertActsAsSelf, CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import { selectsField } from '../../platform/graphql/selection.js';
import { assertMember } from '../spaces/spaces.resolver.js';
import { Question, QuestionPage, Reference } from './questions.resolver.js';

const CURSOR =
  /^([nt])(\d{1,9})\|(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\|([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;
const MAX_CURSOR_LENGTH = 200;
const SORT_LETTERS = { NEWEST: 'n', MOST_ANSWERED: 't' } as const;

/** Cursor after the page, opaque to clients. Null at the end of the list. */
function endCursorOf(
  { docs, page, totalPages }: Page<QuestionView>,
  sort: QuestionSort,
  limit: number,
  hasStartCursor: boolean,
): string | null {
  const last = docs.at(-1);
  if (!last || docs.length < limit || (!hasStartCursor && page >= totalPages)) return null;
  const { answerCount, createdAt, _id } = last;
  return Buffer.from(`${SORT_LETTERS[sort]}${answerCount}|${createdAt}|${_id}`).toString('base64url');
}

/** @throws ApiError for a cursor that no page of this sort order returned */
function positionOf(after: string | null | undefined, sort: QuestionSort): QuestionCursor | undefined {
  if (after === null || after === undefined) return undefined;
  const [, letter, answers, createdAt, questionId] =
    CURSOR.exec(Buffer.from(after.slice(0, MAX_CURSOR_LENGTH), 'base64url').toString()) ?? [];
  const isValid =
    letter === SORT_LETTERS[sort] && createdAt !== undefined && !Number.isNaN(Date.parse(createdAt));
  if (!isValid || questionId === undefined) {
    throw new ApiError('VALIDATION_FAILED', 'after is not a valid cursor.', {
      field: 'after',
      rule: 'CURSOR_MALFORMED',
    });
  }
  return { answerCount: Number(answers), createdAt, questionId };
}

interface PageRequest {
  readonly sort: QuestionSort;
  readonly limit: number;
  readonly after: QuestionCursor | undefined;
}

/** Adds the cursor of the next page. */
const withCursor = <List extends Page<QuestionView>>(
  list: List,
  { sort, limit, after }: PageRequest,
): List & { readonly endCursor: string | null } => ({
  ...list,
  endCursor: endCursorOf(list, sort, limit, after !== undefined),
});

@InputType()
export class QuestionQueryVals {
  @Field(() => ID) readonly space!: string;
  @Field(() => String, { nullable: true }) readonly scope?: string | null;
  @Field(() => ID, { nullable: true }) readonly subject?: string | null;
  @Field(() => ID, { nullable: true }) readonly topic?: string | null;
  @Field(() => Boolean, { nullable: true }) readonly myQuestions?: boolean | null;
  @Field(() => Boolean, { nullable: true }) readonly unsolvedQuestions?: boolean | null;
  @Field(() => Boolean, { nullable: true }) readonly savedQuestions?: boolean | null;
  @Field(() => Boolean, { nullable: true }) readonly solvedQuestions?: boolean | null;
}

@ArgsType()
class SavedQuestionsArgs {
  @Field(() => ID) readonly space!: string;
  @Field(() => ID, { nullable: true }) readonly userId?: string | null;
  @Field(() => String, { nullable: true }) readonly scope?: string | null;
  @Field(() => Int, { nullable: true, defaultValue: 1 }) readonly page?: number | null;
  @Field(() => Int, { nullable: true, defaultValue: 20 }) readonly limit?: number | null;
  @Field(() => Int, { nullable: true, defaultValue: 1 }) readonly sort?: number | null;
  @Field(() => String, { nullable: true }) readonly after?: string | null;
  @Field(() => ID, { nullable: true }) readonly subject?: string | null;
  @Field(() => ID, { nullable: true }) readonly topic?: string | null;
  @Field(() => Boolean, { nullable: true }) readonly myQuestions?: boolean | null;
  @Field(() => Boolean, { nullable: true }) readonly unsolvedQuestions?: boolean | null;
  @Field(() => Boolean, { nullable: true }) readonly solvedQuestions?: boolean | null;
}

type Filters = Omit<QuestionQueryVals, 'savedQuestions'>;

/** Filters for the read side. @throws ApiError for solved together with unsolved, or an unknown scope */
export function filtersOf(filters: Filters) {
  assertFixedValue('scope', filters.scope, 'world');
  if (filters.solvedQuestions && filters.unsolvedQuestions) {
    throw new ApiError('VALIDATION_FAILED', 'Choose either Solved or Unsolved, not both.', {
      field: 'solvedQuestions',
      rule: 'FILTERS_EXCLUDE_EACH_OTHER',
    });
  }
  const isSolved = filters.solvedQuestions ? true : filters.unsolvedQuestions ? false : undefined;
  return {
    spaceId: parseId('space', filters.space),
    subjectId: parseOptionalId('subject', filters.subject),
    topicId: parseOptionalId('topic', filters.topic),
    isMine: filters.myQuestions ?? false,
    isSolved,
  };
}

/** 1 newest first, 2 most answers first. */
function sortOf(sort: number | null | undefined): 'NEWEST' | 'MOST_ANSWERED' {
  switch (sort ?? 1) {
    case 1:
      return 'NEWEST';
    case 2:
      return 'MOST_ANSWERED';
    default:
      throw new ApiError('VALIDATION_FAILED', 'sort must be 1 (newest first) or 2 (most answers first).', {
        field: 'sort',
        rule: 'SORT_UNKNOWN',
      });
  }
}

/** Fields about the space, or about what the viewer did with the question. */
const DETAILS = ['space', 'scope', 'upvotedBy', 'downvotedBy', 'isSaved', 'mayAccept'];

const partsOf = (info: GraphQLResolveInfo): QuestionParts => ({
  body: selectsField(info, 'docs', 'body'),
  details: DETAILS.some((field) => selectsField(info, 'docs', field)),
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
    const { page, limit } = parsePage(options ?? {}, QUESTIONS_PAGE_SIZE);
    const sort = sortOf(options?.sort);
    const after = positionOf(cursor, sort);
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
    const { page, limit } = parsePage(args, QUESTIONS_PAGE_SIZE);
    const sort = sortOf(args.sort);
    const after = positionOf(args.after, sort);
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
  @Query(() => [Reference], { description: 'IDs only, at most 1000, most recently saved first.' })
  async getAllSavedQuestions(
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<Reference[]> {
    assertActsAsSelf(viewer, userId);
    const ids = await listSavedQuestionIds(this.pool, viewer.studentId, parseOptionalId('spaceId', spaceId));
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
    const request = parsePage({ page, limit }, UNSOLVED_PAGE_SIZE);
    const after = positionOf(cursor, 'NEWEST');
    const list = await pageOfUnsolvedQuestions(this.pool, {
      spaceId,
      viewerId: viewer.studentId,
      subjectIds: parseIds('subjectIds', subjectIds ?? []),
      page: request.page,
      after,
      limit: request.limit,
      parts: partsOf(info),
    });
    assertMember(viewer, spaceId, list.isViewerMember);
    return withCursor(list, { sort: 'NEWEST', limit: request.limit, after });
  }
}

import { Args, ID, Info, Int, Query, Resolver } from '@nestjs/graphql';
import { SEARCH_PAGE_SIZE } from '@nimo/domain';
import { findAnswersByIds, findQuestionsByIds } from '@nimo/projections';
import type { PostHit, QuestionSearch } from '@nimo/search';
import type { GraphQLResolveInfo } from 'graphql';
import { Pool } from 'pg';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { IdPipe, parseId, parseOptionalId } from '../../platform/graphql/arguments.js';
import { parseSlice } from '../../platform/graphql/page.js';
import { selectsField } from '../../platform/graphql/selection.js';
import { filtersOf } from '../questions/question-lists.resolver.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import { Search, searchTermsOf } from './search.js';
import {
  AnswerHits,
  AnswerSearchArgs,
  QuestionHits,
  QuestionSearchArgs,
  searchSortOf,
} from './search.types.js';

const SIMILAR_QUESTIONS = 5;

/** Fields about the space, or about what the viewer did with the question. */
const DETAILS = ['space', 'scope', 'upvotedBy', 'downvotedBy', 'isSaved', 'mayAccept'];

/** Search in a space, for its members. */
@Resolver()
export class SearchResolver {
  constructor(
    private readonly pool: Pool,
    private readonly search: Search,
    private readonly access: SpaceAccess,
  ) {}

  @SignedIn()
  @Query(() => QuestionHits, { description: 'Text without words finds nothing.' })
  async searchQuestions(
    @CurrentViewer() viewer: Viewer,
    @Args() args: QuestionSearchArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<QuestionHits> {
    const { isMine, ...filters } = filtersOf(args.queryVals);
    const slice = parseSlice(args, SEARCH_PAGE_SIZE);
    const sort = searchSortOf(args.sort);
    const own = { authorId: isMine ? viewer.studentId : undefined };
    const saved = { savedBy: args.queryVals.savedQuestions ? viewer.studentId : undefined };
    await this.access.assertMayRead(viewer, filters.spaceId);
    return this.questions(viewer, info, { text: args.search, ...filters, ...own, ...saved, ...slice, sort });
  }

  @SignedIn()
  @Query(() => QuestionHits, { description: 'Questions similar to a title being typed.' })
  async getSimilarQuestions(
    @CurrentViewer() viewer: Viewer,
    @Args('title', { type: () => String }) title: string,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Info() info: GraphQLResolveInfo,
    @Args('subject', { type: () => ID, nullable: true }) subject?: string | null,
    @Args('limit', { type: () => Int, nullable: true, defaultValue: SIMILAR_QUESTIONS })
    limit?: number | null,
  ): Promise<QuestionHits> {
    const subjectId = parseOptionalId('subject', subject);
    const slice = parseSlice({ limit }, SIMILAR_QUESTIONS);
    await this.access.assertMayRead(viewer, spaceId);
    const text = searchTermsOf(title);
    return this.questions(viewer, info, { text, spaceId, subjectId, ...slice, sort: 'BEST' });
  }

  @SignedIn()
  @Query(() => AnswerHits, { description: 'Text without words finds nothing.' })
  async searchAnswers(@CurrentViewer() viewer: Viewer, @Args() args: AnswerSearchArgs): Promise<AnswerHits> {
    const spaceId = parseId('space', args.space);
    const subjectId = parseOptionalId('subject', args.subject);
    const topicId = parseOptionalId('topic', args.topic);
    const slice = parseSlice(args, SEARCH_PAGE_SIZE);
    const sort = searchSortOf(args.sort);
    await this.access.assertMayRead(viewer, spaceId);
    const { hits, degraded } = await this.search.findAnswers({
      text: args.search,
      ...{ spaceId, subjectId, topicId, sort },
      ...slice,
    });
    const answers = await findAnswersByIds(
      this.pool,
      hits.map(({ id }) => id),
      viewer.studentId,
    );
    return { hits: withPosts(hits, answers, (answer) => ({ answer })), degraded };
  }

  private async questions(
    viewer: Viewer,
    info: GraphQLResolveInfo,
    search: QuestionSearch,
  ): Promise<QuestionHits> {
    const { hits, degraded } = await this.search.findQuestions(search);
    const ids = hits.map(({ id }) => id);
    const questions = await findQuestionsByIds(this.pool, ids, viewer.studentId, {
      body: selectsField(info, 'hits', 'question', 'body'),
      details: DETAILS.some((field) => selectsField(info, 'hits', 'question', field)),
    });
    return { hits: withPosts(hits, questions, (question) => ({ question })), degraded };
  }
}

/** Hits whose post is still visible, in order. */
function withPosts<Post extends { readonly _id: string }, Field>(
  hits: readonly PostHit[],
  posts: readonly Post[],
  toField: (post: Post) => Field,
) {
  const byId = new Map(posts.map((post) => [post._id, post]));
  return hits.flatMap(({ id, title, excerpt }) => {
    const post = byId.get(id);
    return post ? [{ _id: id, title, excerpt, ...toField(post) }] : [];
  });
}

import { Inject } from '@nestjs/common';
import { Args, ID, Query, Resolver } from '@nestjs/graphql';
import { DomainError, LEADERBOARD_PAGE_SIZE } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import {
  type AsOf,
  findHistoryRange,
  findScoreAsOf,
  hasRemovedSpace,
  pageOfLeaderboardAsOf,
  type ProjectedEvent,
  rangeOfQuestion,
  readQuestionHistory,
  viewQuestionAsOf,
} from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole, type ReadScope } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import {
  AsOfInput,
  AsOfPoints,
  HistoryRange,
  LeaderboardAsOfPage,
  QuestionAsOf,
  ScoreAsOf,
} from './as-of.types.js';
import { Confidential, Untraced } from '../../platform/traces/traces.js';

const asOfArgument = { type: () => AsOfInput } as const;

/** Past states of leaderboards and questions, for moderators of the space. Read-only. */
@Resolver()
export class AsOfResolver {
  constructor(
    private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly points: AsOfPoints,
  ) {}

  @HasRole('MODERATOR')
  @Untraced('names and scores that the leaderboard showed to every member at the time')
  @Query(() => LeaderboardAsOfPage, { description: 'The leaderboard at an earlier time, 20 per page.' })
  async getLeaderboardAsOf(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('asOf', asOfArgument) asOf: AsOfInput,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<LeaderboardAsOfPage> {
    assertModerates(viewer, spaceId);
    const { page, limit } = parsePage(options ?? {}, LEADERBOARD_PAGE_SIZE);
    const point = await this.points.forSpaces(asOf);
    return pageOfLeaderboardAsOf(this.pool, { spaceId, asOf: point, page, limit });
  }

  @HasRole('MODERATOR')
  @Confidential<{ space: string; studentId: string }, ScoreAsOf | null>('SCORES', ({ args, result }) => ({
    spaceIds: [args.space],
    studentIds: [args.studentId],
    rows: result ? 1 : 0,
  }))
  @Query(() => ScoreAsOf, {
    nullable: true,
    description: 'The score of one student at an earlier time. Null before their first scoring event.',
  })
  async getScoreAsOf(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('asOf', asOfArgument) asOf: AsOfInput,
  ): Promise<ScoreAsOf | null> {
    assertModerates(viewer, spaceId);
    return findScoreAsOf(this.pool, spaceId, studentId, await this.points.forSpaces(asOf));
  }

  @HasRole('MODERATOR')
  @Untraced('times and types of events, no personal data')
  @Query(() => HistoryRange, { nullable: true, description: 'Null if the space has no scoring events yet.' })
  getHistoryRange(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<HistoryRange | null> {
    assertModerates(viewer, spaceId);
    return findHistoryRange(this.pool, spaceId);
  }

  @HasRole('MODERATOR')
  @Confidential<{ questionId: string }, QuestionAsOf>(
    'PAST_POSTS',
    ({ args, result: { question, answers } }) => ({
      ...pastPost(question),
      filter: { questionId: args.questionId.toLowerCase() },
      rows: answers.length + (question ? 1 : 0),
    }),
  )
  @Query(() => QuestionAsOf, { description: 'A question at an earlier time, with its answers and comments.' })
  async getQuestionAsOf(
    @CurrentViewer() viewer: Viewer,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
    @Args('asOf', asOfArgument) asOf: AsOfInput,
  ): Promise<QuestionAsOf> {
    const history = await this.historyOf(viewer, questionId);
    const point: AsOf = await this.points.forQuestions(asOf);
    return viewQuestionAsOf(this.pool, history, point);
  }

  @HasRole('MODERATOR')
  @Untraced('times and types of events, no personal data')
  @Query(() => HistoryRange, {
    nullable: true,
    description: 'From the first to the last event of the question.',
  })
  async getQuestionHistoryRange(
    @CurrentViewer() viewer: Viewer,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
  ): Promise<HistoryRange | null> {
    return rangeOfQuestion(await this.historyOf(viewer, questionId));
  }

  /** @throws DomainError FORBIDDEN unless the viewer moderates the question's space */
  private async historyOf(viewer: Viewer, questionId: string): Promise<readonly ProjectedEvent[]> {
    const history = await readQuestionHistory(this.pool, this.store, questionId);
    const firstEvent = history.find((event) => event.type === 'QuestionAsked');
    if (firstEvent?.type !== 'QuestionAsked') throw new DomainError('QUESTION_NOT_FOUND');
    const { spaceId } = firstEvent.data;
    assertModerates(viewer, spaceId);
    if (await hasRemovedSpace(this.pool, [spaceId])) throw new DomainError('QUESTION_NOT_FOUND');
    return history;
  }
}

function assertModerates(viewer: Viewer, spaceId: string): void {
  if (!hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('FORBIDDEN');
}

const pastPost = (question: QuestionAsOf['question']): Pick<ReadScope, 'spaceIds' | 'studentIds' | 'post'> =>
  question
    ? {
        spaceIds: [question.space._id],
        studentIds: [],
        post: {
          postType: 'QUESTION',
          postId: question._id,
          questionId: question._id,
          spaceId: question.space._id,
          postAuthorId: question.author._id,
        },
      }
    : {};

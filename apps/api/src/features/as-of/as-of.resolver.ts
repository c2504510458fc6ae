import { Inject } from '@nestjs/common';
import { Args, ID, Query, Resolver } from '@nestjs/graphql';
import { DomainError, LEADERBOARD_PAGE_SIZE } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import {
  type AsOf,
  findHistoryRange,
  findScoreAsOf,
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
import { pageOf, PaginateOptions } from '../../platform/graphql/page.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import {
  AsOfInput,
  AsOfPoints,
  HistoryRange,
  LeaderboardAsOfPage,
  QuestionAsOf,
  ScoreAsOf,
} from './as-of.types.js';
import { Confidential, LeavesNoTrace } from '../../platform/traces/traces.js';

const asOfArgument = { type: () => AsOfInput } as const;

/** What was there then, for moderators of the space. Nothing here changes anything. */
@Resolver()
export class AsOfResolver {
  constructor(
    private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly points: AsOfPoints,
  ) {}

  @HasRole('MODERATOR')
  @LeavesNoTrace('names and scores as the leaderboard told every member then')
  @Query(() => LeaderboardAsOfPage, { description: 'The leaderboard as it stood, 20 a page.' })
  async getLeaderboardAsOf(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('asOf', asOfArgument) asOf: AsOfInput,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<LeaderboardAsOfPage> {
    assertModerates(viewer, spaceId);
    const { page, limit } = pageOf(options ?? {}, LEADERBOARD_PAGE_SIZE);
    const point = await this.points.ofSpaces(asOf);
    return pageOfLeaderboardAsOf(this.pool, { spaceId, asOf: point, page, limit });
  }

  @HasRole('MODERATOR')
  @Confidential<{ space: string; studentId: string }, ScoreAsOf | null>('SCORES', ({ args, result }) => ({
    spaceIds: [args.space],
    studentIds: [args.studentId],
    rows: result ? 1 : 0,
  }))
  @Query(() => ScoreAsOf, { nullable: true, description: 'Null before the first fact that counts.' })
  async getScoreAsOf(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('asOf', asOfArgument) asOf: AsOfInput,
  ): Promise<ScoreAsOf | null> {
    assertModerates(viewer, spaceId);
    return findScoreAsOf(this.pool, spaceId, studentId, await this.points.ofSpaces(asOf));
  }

  @HasRole('MODERATOR')
  @LeavesNoTrace('moments and kinds of events, nobody’s')
  @Query(() => HistoryRange, { nullable: true, description: 'Null while nothing has happened that scores.' })
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
  @Query(() => QuestionAsOf, { description: 'A question’s page as it stood.' })
  async getQuestionAsOf(
    @CurrentViewer() viewer: Viewer,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
    @Args('asOf', asOfArgument) asOf: AsOfInput,
  ): Promise<QuestionAsOf> {
    const history = await this.historyOf(viewer, questionId);
    const point: AsOf = await this.points.ofQuestions(asOf);
    return viewQuestionAsOf(this.pool, history, point);
  }

  @HasRole('MODERATOR')
  @LeavesNoTrace('moments and kinds of events, nobody’s')
  @Query(() => HistoryRange, { nullable: true, description: 'From the question’s first event to its last.' })
  async getQuestionHistoryRange(
    @CurrentViewer() viewer: Viewer,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
  ): Promise<HistoryRange | null> {
    return rangeOfQuestion(await this.historyOf(viewer, questionId));
  }

  /** Only where the viewer moderates the space in which it was asked. */
  private async historyOf(viewer: Viewer, questionId: string): Promise<readonly ProjectedEvent[]> {
    const history = await readQuestionHistory(this.pool, this.store, questionId);
    const asked = history.find((event) => event.type === 'QuestionAsked');
    if (asked?.type !== 'QuestionAsked') throw new DomainError('QUESTION_NOT_FOUND');
    assertModerates(viewer, asked.data.spaceId);
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

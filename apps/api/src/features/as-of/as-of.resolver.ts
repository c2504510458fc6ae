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
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { IdPipe } from '../../platform/graphql/id.pipe.js';
import { pageOf } from '../../platform/graphql/page.js';
import { PaginateOptions } from '../../platform/graphql/paginate-options.input.js';
import { EVENT_STORE } from '../../platform/runtime/tokens.js';
import { AsOfInput } from './as-of.input.js';
import { AsOfPoints } from './as-of-points.js';
import { HistoryRange, LeaderboardAsOfPage, QuestionAsOf, ScoreAsOf } from './as-of.type.js';

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
  @Query(() => HistoryRange, { nullable: true, description: 'Null while nothing has happened that scores.' })
  getHistoryRange(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<HistoryRange | null> {
    assertModerates(viewer, spaceId);
    return findHistoryRange(this.pool, spaceId);
  }

  @HasRole('MODERATOR')
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

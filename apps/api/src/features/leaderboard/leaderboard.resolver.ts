import { Args, ID, Query, Resolver } from '@nestjs/graphql';
import { LEADERBOARD_PAGE_SIZE } from '@nimo/domain';
import { findLeaderboardScore, pageOfLeaderboard } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { IdPipe, OnlyValuePipe, optionalIdOf } from '../../platform/graphql/arguments.js';
import { pageOf, PaginateOptions } from '../../platform/graphql/page.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import { LeaderboardScore, LeaderboardScorePage, OwnLeaderboardScore } from './leaderboard-score.type.js';

@Resolver(() => LeaderboardScore)
export class LeaderboardResolver {
  constructor(
    private readonly pool: Pool,
    private readonly access: SpaceAccess,
  ) {}

  @SignedIn()
  @Query(() => LeaderboardScorePage, { description: 'The best score first.' })
  async getPaginatedLeaderboardScores(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('scope', { type: () => String, nullable: true }, new OnlyValuePipe('world')) _scope?: string | null,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<LeaderboardScorePage> {
    const { page, limit } = pageOf(options ?? {}, LEADERBOARD_PAGE_SIZE);
    await this.access.assertMayRead(viewer, spaceId);
    return pageOfLeaderboard(this.pool, { spaceId, viewerId: viewer.studentId, page, limit });
  }

  @SignedIn()
  @Query(() => OwnLeaderboardScore, {
    description: 'Own score and rank unless `studentId` names another member.',
  })
  async getLeaderboardScores(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID, nullable: true }) studentId?: string | null,
    @Args('scope', { type: () => String, nullable: true }, new OnlyValuePipe('world')) _scope?: string | null,
  ): Promise<OwnLeaderboardScore> {
    await this.access.assertMayRead(viewer, spaceId);
    const scores = await findLeaderboardScore(this.pool, {
      spaceId,
      studentId: optionalIdOf('studentId', studentId) ?? viewer.studentId,
      viewerId: viewer.studentId,
    });
    return { scores, rank: scores?.rank ?? null };
  }
}

import { Inject } from '@nestjs/common';
import { Args, ID, Query, Resolver } from '@nestjs/graphql';
import { findSolvedShare, listSubjectClarity, listWorkload } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { IdPipe, idsOf } from '../../platform/graphql/arguments.js';
import { CLOCK, type Clock } from '../../platform/runtime/tokens.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import { periodOf } from './period.js';
import { SolvedShare, SpaceStatistics } from './space-statistics.type.js';

@Resolver()
export class StatisticsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly access: SpaceAccess,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @SignedIn()
  @Query(() => SpaceStatistics, {
    description: 'For members. Days are YYYY-MM-DD in UTC, the last thirty unless told otherwise.',
  })
  async getSpaceStatistics(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('from', { type: () => String, nullable: true }) from?: string | null,
    @Args('to', { type: () => String, nullable: true }) to?: string | null,
    @Args('subjectIds', { type: () => [ID], nullable: true }) subjects?: readonly string[] | null,
  ): Promise<SpaceStatistics> {
    const period = periodOf({ from, to }, this.clock());
    const subjectIds = idsOf('subjectIds', subjects ?? []);
    await this.access.assertMayRead(viewer, spaceId);
    const [workload, clarity] = await Promise.all([
      listWorkload(this.pool, { spaceId, ...period, subjectIds }),
      listSubjectClarity(this.pool, { spaceId, ...period, subjectIds }),
    ]);
    return { ...period, workload, subjects: clarity };
  }

  @SignedIn()
  @Query(() => SolvedShare, { description: 'For members. Cheap: a gauge asks for it every two seconds.' })
  async getSolvedShare(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('subjectIds', { type: () => [ID], nullable: true }) subjects?: readonly string[] | null,
  ): Promise<SolvedShare> {
    const subjectIds = idsOf('subjectIds', subjects ?? []);
    await this.access.assertMayRead(viewer, spaceId);
    return findSolvedShare(this.pool, { spaceId, subjectIds });
  }
}

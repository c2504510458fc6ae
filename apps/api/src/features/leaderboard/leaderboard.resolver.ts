import { Args, Field, ID, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { LEADERBOARD_PAGE_SIZE } from '@nimo/domain';
import { findLeaderboardScore, pageOfLeaderboard } from '@nimo/projections';
import { Pool } from 'pg';
import { Space } from '../spaces/space.types.js';
import { Author } from '../students/student.types.js';
import { CurrentViewer, SignedIn, type CompletedRead, type ReadScope } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { IdPipe, FixedValuePipe, parseOptionalId } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';

@ObjectType()
export class LeaderboardScore {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly scope!: string;
  @Field(() => Space) readonly space!: Space;
  @Field(() => Int) readonly score!: number;
  @Field(() => Int, { description: 'Merit.' }) readonly reputations!: number;
  @Field(() => Int, { description: 'Impact.' }) readonly commitments!: number;
  @Field(() => Int) readonly questionsAsked!: number;
  @Field(() => Int) readonly questionsAnswered!: number;
  @Field(() => Int) readonly answersAccepted!: number;
  @Field(() => Author) readonly student!: Author;
  @Field(() => Int, { description: 'Rank in the space, starting at 1, without gaps.' })
  readonly rank!: number;
}

@ObjectType()
class LeaderboardScorePage {
  @Field(() => [LeaderboardScore]) readonly docs!: readonly LeaderboardScore[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

@ObjectType()
class OwnLeaderboardScore {
  @Field(() => LeaderboardScore, { nullable: true }) readonly scores!: LeaderboardScore | null;
  @Field(() => Int, { nullable: true }) readonly rank!: number | null;
}

export interface ScoreArgs {
  readonly space: string;
  readonly studentId?: string | null;
}

interface Page {
  readonly docs: readonly unknown[];
}

/** Scope to record in the access log: null for the viewer's own scores. */
export function scoreReadScope({
  args: { space, studentId },
  viewer,
  result,
}: CompletedRead<ScoreArgs, readonly unknown[] | Page>): ReadScope | null {
  if (!studentId || studentId.toLowerCase() === viewer.studentId) return null;
  return {
    spaceIds: [space],
    studentIds: [studentId],
    rows: ('docs' in result ? result.docs : result).length,
  };
}

@Resolver(() => LeaderboardScore)
export class LeaderboardResolver {
  constructor(
    private readonly pool: Pool,
    private readonly access: SpaceAccess,
  ) {}

  @SignedIn()
  @Query(() => LeaderboardScorePage, { description: 'Highest score first.' })
  async getPaginatedLeaderboardScores(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('scope', { type: () => String, nullable: true }, new FixedValuePipe('world')) _scope?:
      | string
      | null,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<LeaderboardScorePage> {
    const { page, limit } = parsePage(options ?? {}, LEADERBOARD_PAGE_SIZE);
    await this.access.assertMayRead(viewer, spaceId);
    return pageOfLeaderboard(this.pool, { spaceId, viewerId: viewer.studentId, page, limit });
  }

  @SignedIn()
  @Query(() => OwnLeaderboardScore, {
    description: 'Score and rank of the member `studentId`, by default of the caller.',
  })
  async getLeaderboardScores(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID, nullable: true }) studentId?: string | null,
    @Args('scope', { type: () => String, nullable: true }, new FixedValuePipe('world')) _scope?:
      | string
      | null,
  ): Promise<OwnLeaderboardScore> {
    await this.access.assertMayRead(viewer, spaceId);
    const scores = await findLeaderboardScore(this.pool, {
      spaceId,
      studentId: parseOptionalId('studentId', studentId) ?? viewer.studentId,
      viewerId: viewer.studentId,
    });
    return { scores, rank: scores?.rank ?? null };
  }
}

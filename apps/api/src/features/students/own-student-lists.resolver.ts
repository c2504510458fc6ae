import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { listOwnLeaderboardScores, listSavedQuestionIds, listSpacesOf } from '@nimo/projections';
import { Pool } from 'pg';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { LeaderboardScore } from '../leaderboard/leaderboard-score.type.js';
import { Reference } from '../questions/reference.type.js';
import { Space } from '../spaces/space.type.js';
import { Student } from './student.type.js';

/** Lists that are the student's own: empty in anybody else's eyes. */
@Resolver(() => Student)
export class OwnStudentListsResolver {
  constructor(private readonly pool: Pool) {}

  @ResolveField(() => [Space])
  spaces(@Parent() student: Student, @Context() { viewer }: RequestContext): Promise<Space[]> | [] {
    return viewer?.studentId === student._id ? listSpacesOf(this.pool, student._id) : [];
  }

  @ResolveField(() => [Reference], { description: 'At most 1000, the latest first.' })
  async savedQuestions(
    @Parent() student: Student,
    @Context() { viewer }: RequestContext,
  ): Promise<Reference[]> {
    if (viewer?.studentId !== student._id) return [];
    return (await listSavedQuestionIds(this.pool, student._id)).map((_id) => ({ _id }));
  }

  @ResolveField(() => [LeaderboardScore])
  leaderboardScores(
    @Parent() student: Student,
    @Context() { viewer }: RequestContext,
  ): Promise<LeaderboardScore[]> | [] {
    return viewer?.studentId === student._id ? listOwnLeaderboardScores(this.pool, student._id) : [];
  }
}

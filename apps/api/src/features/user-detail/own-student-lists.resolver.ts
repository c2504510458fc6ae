import { Context, ID, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import {
  findOwnSubjects,
  listOwnLeaderboardScores,
  listSavedQuestionIds,
  listSpacesOf,
  type OwnSubjectsView,
} from '@nimo/projections';
import DataLoader from 'dataloader';
import { Pool } from 'pg';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { LeaderboardScore } from '../leaderboard/leaderboard.resolver.js';
import { Reference } from '../questions/questions.resolver.js';
import { Space } from '../spaces/space.types.js';
import { Student } from '../students/student.types.js';

type Ids = readonly string[];

/** The student's own lists; empty for everyone else. */
@Resolver(() => Student)
export class OwnStudentListsResolver {
  constructor(private readonly pool: Pool) {}

  @ResolveField(() => [Space])
  spaces(@Parent() student: Student, @Context() { viewer }: RequestContext): Promise<Space[]> | [] {
    return viewer?.studentId === student._id ? listSpacesOf(this.pool, student._id) : [];
  }

  @ResolveField(() => [Reference], { description: 'At most 1,000, newest first.' })
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

  @ResolveField(() => [ID], {
    description: 'Up to 5 subjects in which the caller asks and answers most, in descending order.',
  })
  favouriteSubjects(@Parent() student: Student, @Context() request: RequestContext): Promise<Ids> | [] {
    return this.ownSubjects('favouriteSubjects', student, request);
  }

  @ResolveField(() => [ID], {
    description: 'Up to 5 subjects with the most unsolved questions of the caller, in descending order.',
  })
  troublingSubjects(@Parent() student: Student, @Context() request: RequestContext): Promise<Ids> | [] {
    return this.ownSubjects('troublingSubjects', student, request);
  }

  @ResolveField(() => [ID], {
    description: 'Up to 5 topics with the most unsolved questions of the caller, in descending order.',
  })
  troublingTopics(@Parent() student: Student, @Context() request: RequestContext): Promise<Ids> | [] {
    return this.ownSubjects('troublingTopics', student, request);
  }

  private ownSubjects(
    list: keyof OwnSubjectsView,
    { _id }: Student,
    { viewer, loaders }: RequestContext,
  ): Promise<Ids> | [] {
    if (viewer?.studentId !== _id) return [];
    // One statement loads all three lists.
    const loader = loaders.of(
      OwnStudentListsResolver,
      () =>
        new DataLoader((ids: readonly string[]) =>
          Promise.all(ids.map((id) => findOwnSubjects(this.pool, id))),
        ),
    );
    return loader.load(_id).then((subjects) => subjects[list]);
  }
}

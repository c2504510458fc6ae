import { Args, Field, ID, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { DomainError, VOTE_GIVERS_PAGE_SIZE } from '@nimo/domain';
import { findReceivedVotes, pageOfVoteGivers } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Confidential } from '../../platform/traces/traces.js';
import { Author } from '../students/student.types.js';
import { peopleById } from './vote-patterns.js';

@ObjectType()
class VoteCounts {
  @Field(() => Int) readonly upvotes!: number;
  @Field(() => Int) readonly downvotes!: number;
}

@ObjectType()
class VoteGiver extends VoteCounts {
  @Field(() => Author) readonly voter!: Author;
  @Field(() => VoteCounts) readonly given!: VoteCounts;
  @Field(() => Int) readonly posts!: number;
  @Field(() => DateTimeScalar, { nullable: true }) readonly memberSince!: string | null;
  @Field(() => DateTimeScalar, { nullable: true }) readonly firstVoteAt!: string | null;
  @Field(() => DateTimeScalar, { nullable: true }) readonly lastVoteAt!: string | null;
}

@ObjectType()
class VoteGiverPage {
  @Field(() => Author) readonly author!: Author;
  @Field(() => VoteCounts) readonly received!: VoteCounts;
  @Field(() => VoteCounts) readonly unknown!: VoteCounts;
  @Field(() => [VoteGiver]) readonly docs!: readonly VoteGiver[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

/** Votes for a person by voter, as the moderators of a space see them. */
@Resolver(() => VoteGiverPage)
export class VoteGiversResolver {
  constructor(private readonly pool: Pool) {}

  @HasRole('MODERATOR')
  @Confidential<{ space: string; author: string }, VoteGiverPage>(
    'VOTES',
    ({ args: { space, author }, result: { docs } }) => ({
      spaceIds: [space],
      studentIds: [author],
      filter: { givers: author },
      rows: docs.length,
    }),
  )
  @Query(() => VoteGiverPage, {
    description: 'Everybody whose valid votes an author has in a space, most votes first. Not for oneself.',
  })
  async getVoteGivers(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('author', { type: () => ID }, IdPipe) authorId: string,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<VoteGiverPage> {
    if (!hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('FORBIDDEN');
    if (authorId === viewer.studentId) throw new DomainError('OWN_VOTES_CASE');
    const of = { spaceId, authorId };
    const page = parsePage(options ?? {}, VOTE_GIVERS_PAGE_SIZE);
    const [givers, received] = await Promise.all([
      pageOfVoteGivers(this.pool, { ...of, ...page, readerId: viewer.studentId }),
      findReceivedVotes(this.pool, of),
    ]);
    const person = await peopleById(this.pool, [authorId, ...givers.docs.map(({ voterId }) => voterId)]);
    return {
      ...givers,
      ...received,
      author: person(authorId),
      docs: givers.docs.map((giver) => ({ ...giver, voter: person(giver.voterId) })),
    };
  }
}

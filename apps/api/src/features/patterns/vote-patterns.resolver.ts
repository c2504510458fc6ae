import { CommandBus } from '@nestjs/cqrs';
import {
  Args,
  ArgsType,
  Context,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Field,
  ObjectType,
} from '@nestjs/graphql';
import { MAX_CASE_VOTES, DomainError, REVIEWED_VOTES_PAGE_SIZE, type PatternVerdict } from '@nimo/domain';
import { listScoreNotices, listVotesOfLinks, pageOfJudgedVotes } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole, SignedIn } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe, parseId, parseOptionalId } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { Confirmation } from '../questions/questions.resolver.js';
import { oldNameOf } from '../schema/interfaces.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import { TriageVotePattern } from './commands/triage-vote-pattern.js';
import { withPatternNames, withVoteNames, VotePatterns, spacesById } from './vote-patterns.js';
import {
  CaseSpace,
  JudgedVotePage,
  PatternVerdictEnum,
  ScoreNotice,
  VotePattern,
} from './vote-pattern.types.js';
import { Confidential, Untraced } from '../../platform/traces/traces.js';
import { type ScoreArgs, scoreReadScope } from '../leaderboard/leaderboard.resolver.js';

@ObjectType()
class VotePatternCount {
  @Field(() => CaseSpace) readonly space!: CaseSpace;
  @Field(() => Int) readonly untriaged!: number;
  @Field(() => Int) readonly seen!: number;
  @Field(() => Int) readonly watched!: number;
  @Field(() => Int) readonly watchedAndGrown!: number;
  @Field(() => Int) readonly harmless!: number;
}

function assertModerates(viewer: Viewer, spaceId: string): void {
  if (!hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('FORBIDDEN');
}

@ArgsType()
class VotesForReviewArgs {
  @Field(() => ID) readonly space!: string;
  @Field(() => ID, { nullable: true }) readonly voter?: string | null;
  @Field(() => ID, { nullable: true }) readonly author?: string | null;
  @Field(() => ID, { nullable: true }) readonly post?: string | null;
  @Field(() => DateTimeScalar, { nullable: true }) readonly from?: string | null;
  @Field(() => DateTimeScalar, { nullable: true }) readonly until?: string | null;
  @Field(() => PaginateOptions, { nullable: true }) readonly paginateOptions?: PaginateOptions | null;
}

const isPresent = (id: string | null | undefined): id is string => typeof id === 'string';

const TraceReviewedVotes = Confidential<VotesForReviewArgs, JudgedVotePage>(
  'VOTES',
  ({ args, result: { docs } }) => ({
    spaceIds: [args.space],
    studentIds: [args.voter, args.author, args.post ? docs[0]?.author._id : null].filter(isPresent),
    filter: {
      ...{ voter: args.voter, author: args.author, post: args.post },
      ...{ from: args.from, until: args.until },
    },
    rows: docs.length,
  }),
);

/** Voting in a space, as its moderators see it. */
@Resolver(() => VotePattern)
export class VotePatternsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly access: SpaceAccess,
    private readonly patterns: VotePatterns,
    private readonly commands: CommandBus,
  ) {}

  @HasRole('MODERATOR')
  @Confidential<{ space: string }, readonly VotePattern[]>('VOTE_PATTERNS', ({ args, result }) => ({
    spaceIds: [args.space],
    rows: result.length,
  }))
  @Query(() => [VotePattern], { description: 'Least likely to be coincidence first.' })
  async getVotePatterns(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<VotePattern[]> {
    assertModerates(viewer, spaceId);
    return withPatternNames(this.pool, await this.patterns.patternsFor(viewer, spaceId));
  }

  @HasRole('MODERATOR')
  @Confidential<{ space: string; pattern: string }, VotePattern | null>(
    'VOTE_PATTERNS',
    ({ args: { space, pattern }, result }) => ({
      spaceIds: [space],
      studentIds: result?.students.map(({ _id }) => _id) ?? [],
      filter: { pattern },
      rows: result?.evidence.length ?? 0,
    }),
  )
  @Query(() => VotePattern, { nullable: true, description: 'Null if it is no longer unusual.' })
  async getVotePattern(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('pattern', { type: () => String }) patternId: string,
  ): Promise<VotePattern | null> {
    assertModerates(viewer, spaceId);
    const found = (await this.patterns.patternsFor(viewer, spaceId)).filter(({ id }) => id === patternId);
    const [pattern] = await withPatternNames(this.pool, found);
    if (!pattern) return null;
    const votes = await listVotesOfLinks(this.pool, spaceId, found[0]?.links ?? [], MAX_CASE_VOTES);
    const { from, until } = pattern;
    const inPeriod = votes.filter(
      ({ castAt }) => !from || !until || (castAt !== null && castAt >= from && castAt <= until),
    );
    return Object.assign(pattern, { evidence: await withVoteNames(this.pool, inPeriod) });
  }

  @HasRole('MODERATOR')
  @Untraced('counts only, no personal data')
  @Query(() => [VotePatternCount], {
    description:
      'Vote patterns by state, for each space that the caller moderates and that has any. May lag by ten minutes.',
  })
  async getVotePatternCounts(@CurrentViewer() viewer: Viewer): Promise<VotePatternCount[]> {
    const counts = await this.patterns.countsFor(viewer);
    const space = await spacesById(
      this.pool,
      counts.map(({ spaceId }) => spaceId),
    );
    return counts.map(({ spaceId, ...count }) => ({ ...count, space: space(spaceId) }));
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => Confirmation, {
    description:
      "Records the caller's verdict on a vote pattern and returns its ID. Appears in the audit, hidden from those the pattern concerns.",
  })
  async triageVotePattern(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('pattern', { type: () => String }) patternId: string,
    @Args('verdict', { type: () => PatternVerdictEnum }) verdict: PatternVerdict,
    @Args('votes', { type: () => Int }) votes: number,
    @Args('revision', { type: () => Int }) revision: number,
  ): Promise<Confirmation> {
    assertModerates(viewer, spaceId);
    const triage = { spaceId, patternId, verdict, seen: { revision, voteCount: votes } };
    await this.commands.execute(new TriageVotePattern(commandContext(request, 'triageVotePattern'), triage));
    return { _id: patternId };
  }

  @HasRole('MODERATOR')
  @TraceReviewedVotes
  @Query(() => JudgedVotePage, {
    description: 'Votes that can be included in a case, newest first. Withdrawn votes are left out.',
  })
  async getVotesForReview(
    @CurrentViewer() viewer: Viewer,
    @Args() args: VotesForReviewArgs,
  ): Promise<JudgedVotePage> {
    const spaceId = parseId('space', args.space);
    assertModerates(viewer, spaceId);
    const { page, limit } = parsePage(args.paginateOptions ?? {}, REVIEWED_VOTES_PAGE_SIZE);
    const votes = await pageOfJudgedVotes(this.pool, {
      spaceId,
      voterId: parseOptionalId('voter', args.voter),
      authorId: parseOptionalId('author', args.author),
      postId: parseOptionalId('post', args.post),
      from: args.from ?? undefined,
      until: args.until ?? undefined,
      readerId: viewer.studentId,
      page,
      limit,
    });
    return { ...votes, docs: await withVoteNames(this.pool, votes.docs) };
  }

  @HasRole('MODERATOR')
  @TraceReviewedVotes
  @Query(() => JudgedVotePage, oldNameOf('getVotesForReview'))
  getVotesToJudge(
    @CurrentViewer() viewer: Viewer,
    @Args() args: VotesForReviewArgs,
  ): Promise<JudgedVotePage> {
    return this.getVotesForReview(viewer, args);
  }

  @SignedIn()
  @Confidential<ScoreArgs, readonly ScoreNotice[]>('SCORES', scoreReadScope)
  @Query(() => [ScoreNotice], {
    description: 'Cases that affected the caller’s score. Moderators may name another member in `studentId`.',
  })
  async getScoreNotices(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID, nullable: true }) subjectId?: string | null,
  ): Promise<ScoreNotice[]> {
    const studentId = parseOptionalId('studentId', subjectId) ?? viewer.studentId;
    await this.access.assertMayRead(viewer, spaceId);
    if (studentId !== viewer.studentId) assertModerates(viewer, spaceId);
    return listScoreNotices(this.pool, { spaceId, studentId });
  }
}

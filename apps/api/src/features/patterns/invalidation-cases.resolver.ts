import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { CASES_PAGE_SIZE, DomainError, type InvalidationCategory } from '@nimo/domain';
import {
  findCase,
  isAnyInAnotherCase,
  listVotesOfCase,
  pageOfCases,
  type InvalidationCaseView,
} from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import { moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe, idOf } from '../../platform/graphql/arguments.js';
import { pageOf, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { Confirmation } from '../questions/questions.resolver.js';
import {
  CaseEffects,
  InvalidateVotes,
  requireCaseSize,
  ReverseInvalidation,
  type VoteRef,
} from './commands/invalidate-votes.js';
import {
  InvalidationCase,
  InvalidationCaseDetail,
  InvalidationCasePage,
  InvalidationCategoryEnum,
  InvalidationEffect,
  InvalidationPreview,
  VoteRefInput,
} from './vote-pattern.types.js';
import { namedEffect, namedVotes, peopleOf, spacesOf } from './pattern-desk.js';
import { Confidential } from '../../platform/traces/traces.js';
import { namedSpaces } from '../../platform/auth/viewer.js';

const NO_CASE = '00000000-0000-0000-0000-000000000000';

const refsOf = (votes: readonly VoteRefInput[]): VoteRef[] => {
  requireCaseSize(votes);
  return votes.map(({ postId, voterId }) => ({
    postId: idOf('postId', postId),
    voterId: idOf('voterId', voterId),
  }));
};

/** Votes declared invalid, and valid again, by moderators of every space concerned. */
@Resolver(() => InvalidationCase)
export class InvalidationCasesResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly effects: CaseEffects,
  ) {}

  @HasRole('MODERATOR')
  @Confidential<{ votes: readonly VoteRefInput[] }, InvalidationPreview>(
    'VOTES',
    ({ args: { votes }, result: { effect } }) => ({
      spaceIds: effect.spaceIds,
      filter: { votes: votes.map(({ postId, voterId }) => [postId, voterId]) },
      rows: votes.length,
    }),
  )
  @Query(() => InvalidationPreview, { description: 'What declaring these votes invalid would do now.' })
  async previewInvalidation(
    @CurrentViewer() viewer: Viewer,
    @Args('votes', { type: () => [VoteRefInput] }) votes: VoteRefInput[],
  ): Promise<InvalidationPreview> {
    const refs = refsOf(votes);
    const { fingerprint, isHeld, effect } = await this.effects.ofInvalidating(viewer, NO_CASE, refs);
    if (!isHeld || (await isAnyInAnotherCase(this.pool, refs, null)))
      throw new DomainError('CASE_VOTE_NOT_STANDING');
    return { fingerprint, effect: await namedEffect(this.pool, effect) };
  }

  @HasRole('MODERATOR')
  @Confidential<{ caseId: string }, InvalidationEffect>('VOTE_CASES', ({ args: { caseId }, result }) => ({
    spaceIds: result.spaceIds,
    caseId: caseId.toLowerCase(),
    rows: 1,
  }))
  @Query(() => InvalidationEffect, { description: 'What reversing the case would do now.' })
  async previewReversal(
    @CurrentViewer() viewer: Viewer,
    @Args('caseId', { type: () => ID }, IdPipe) caseId: string,
  ): Promise<InvalidationEffect> {
    return namedEffect(this.pool, await this.effects.ofReversing(viewer, caseId));
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => Confirmation, { description: 'Opens a case; answers with its id.' })
  async invalidateVotes(
    @Context() request: RequestContext,
    @Args('votes', { type: () => [VoteRefInput] }) votes: VoteRefInput[],
    @Args('category', { type: () => InvalidationCategoryEnum }) category: InvalidationCategory,
    @Args('reason', { type: () => String, description: 'For moderators alone.' }) reason: string,
    @Args('fingerprint', { type: () => String, description: 'Of the preview.' }) fingerprint: string,
  ): Promise<Confirmation> {
    const invalidation = { votes: refsOf(votes), category, reason, fingerprint };
    const context = commandOf(request, 'invalidateVotes');
    return { _id: await this.commands.execute(new InvalidateVotes(context, invalidation)) };
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => Confirmation, { description: 'The votes of the case count again.' })
  async reverseInvalidation(
    @Context() request: RequestContext,
    @Args('caseId', { type: () => ID }, IdPipe) caseId: string,
    @Args('reason', { type: () => String }) reason: string,
  ): Promise<Confirmation> {
    await this.commands.execute(
      new ReverseInvalidation(commandOf(request, 'reverseInvalidation'), caseId, reason),
    );
    return { _id: caseId };
  }

  @HasRole('MODERATOR')
  @Confidential<object, InvalidationCasePage>('VOTE_CASES', ({ viewer, result: { docs } }) => ({
    spaceIds: namedSpaces(viewer),
    rows: docs.length,
  }))
  @Query(() => InvalidationCasePage, { description: 'Of the spaces that one moderates, the latest first.' })
  async getInvalidationCases(
    @CurrentViewer() viewer: Viewer,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<InvalidationCasePage> {
    const { page, limit } = pageOf(options ?? {}, CASES_PAGE_SIZE);
    const cases = await pageOfCases(this.pool, {
      spaces: moderatedSpaces(viewer),
      readerId: viewer.studentId,
      page,
      limit,
    });
    return { ...cases, docs: await this.named(cases.docs) };
  }

  @HasRole('MODERATOR')
  @Confidential<{ caseId: string }, InvalidationCaseDetail>(
    'VOTE_CASES',
    ({ result: { _id, spaces, judgedVotes } }) => ({
      spaceIds: spaces.map((space) => space._id),
      caseId: _id,
      rows: judgedVotes.length,
    }),
  )
  @Query(() => InvalidationCaseDetail)
  async getInvalidationCase(
    @CurrentViewer() viewer: Viewer,
    @Args('caseId', { type: () => ID }, IdPipe) caseId: string,
  ): Promise<InvalidationCaseDetail> {
    const found = await findCase(this.pool, caseId, viewer.studentId);
    const spaces = moderatedSpaces(viewer);
    // Whether a case of other spaces is there is not told either.
    if (!found || (spaces !== 'all' && !found.spaceIds.every((spaceId) => spaces.includes(spaceId))))
      throw new DomainError('CASE_NOT_FOUND');
    const [[named], votes, effect] = await Promise.all([
      this.named([found]),
      listVotesOfCase(this.pool, caseId),
      this.effects.recorded(caseId),
    ]);
    if (!named) throw new DomainError('CASE_NOT_FOUND');
    return Object.assign(named, {
      judgedVotes: await namedVotes(this.pool, votes),
      effect: effect && (await namedEffect(this.pool, effect)),
    });
  }

  private async named(cases: readonly InvalidationCaseView[]): Promise<InvalidationCase[]> {
    const [person, space] = await Promise.all([
      peopleOf(
        this.pool,
        cases.flatMap(({ moderatorId, reversedBy }) => [moderatorId, ...(reversedBy ? [reversedBy] : [])]),
      ),
      spacesOf(
        this.pool,
        cases.flatMap(({ spaceIds }) => spaceIds),
      ),
    ]);
    return cases.map(({ moderatorId, reversedBy, spaceIds, ...rest }) => ({
      ...rest,
      spaces: spaceIds.map(space),
      moderator: person(moderatorId),
      reversedBy: reversedBy === null ? null : person(reversedBy),
    }));
  }
}

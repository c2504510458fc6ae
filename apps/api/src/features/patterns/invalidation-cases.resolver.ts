import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import {
  CASES_PAGE_SIZE,
  DomainError,
  type InvalidationCategory,
  isLargeCase,
  requireNotProposed,
} from '@nimo/domain';
import {
  canBeConfirmed,
  findCase,
  isAnyInAnotherCase,
  listVotesOfCase,
  pageOfCases,
  type InvalidationCaseView,
} from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import { moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe, parseId } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { Confirmation } from '../questions/questions.resolver.js';
import {
  CaseEffects,
  ConfirmInvalidation,
  DeclineInvalidation,
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
  OpenedCase,
  VoteRefInput,
} from './vote-pattern.types.js';
import { effectForDisplay, withVoteNames, peopleById, spacesById } from './vote-patterns.js';
import { Confidential } from '../../platform/traces/traces.js';
import { namedSpaces } from '../../platform/auth/viewer.js';

const PREVIEW_CASE_ID = '00000000-0000-0000-0000-000000000000';

const parseVoteRefs = (votes: readonly VoteRefInput[]): VoteRef[] => {
  requireCaseSize(votes);
  return votes.map(({ postId, voterId }) => ({
    postId: parseId('postId', postId),
    voterId: parseId('voterId', voterId),
  }));
};

/** Invalidation and restoration of votes, by moderators of every space concerned. */
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
  @Query(() => InvalidationPreview, { description: 'Effect of invalidating these votes now.' })
  async previewInvalidation(
    @CurrentViewer() viewer: Viewer,
    @Args('votes', { type: () => [VoteRefInput] }) votes: VoteRefInput[],
  ): Promise<InvalidationPreview> {
    const refs = parseVoteRefs(votes);
    const {
      fingerprint,
      isHeld,
      effect,
      votes: reviewed,
    } = await this.effects.previewInvalidation(viewer, PREVIEW_CASE_ID, refs);
    if (!isHeld || (await isAnyInAnotherCase(this.pool, refs, null)))
      throw new DomainError('CASE_VOTE_NOT_STANDING');
    const ownCases = await this.effects.ownCases(viewer, PREVIEW_CASE_ID, reviewed);
    requireNotProposed(ownCases);
    return {
      fingerprint,
      needsConfirmation: isLargeCase(refs.length, ownCases),
      effect: await effectForDisplay(this.pool, effect),
    };
  }

  @HasRole('MODERATOR')
  @Confidential<{ caseId: string }, InvalidationEffect>('VOTE_CASES', ({ args: { caseId }, result }) => ({
    spaceIds: result.spaceIds,
    caseId: caseId.toLowerCase(),
    rows: 1,
  }))
  @Query(() => InvalidationEffect, { description: 'Effect of reversing the case now.' })
  async previewReversal(
    @CurrentViewer() viewer: Viewer,
    @Args('caseId', { type: () => ID }, IdPipe) caseId: string,
  ): Promise<InvalidationEffect> {
    return effectForDisplay(this.pool, await this.effects.previewReversal(viewer, caseId));
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => OpenedCase, {
    description:
      'Opens a case. More than 100 votes are only proposed: they count until another moderator confirms with `confirmInvalidation`. Votes for the same authors that the caller invalidated alone in the last 7 days count towards the 100. Votes in an open proposal of the caller are refused.',
  })
  async invalidateVotes(
    @Context() request: RequestContext,
    @Args('votes', { type: () => [VoteRefInput] }) votes: VoteRefInput[],
    @Args('category', { type: () => InvalidationCategoryEnum }) category: InvalidationCategory,
    @Args('reason', { type: () => String, description: 'Visible only to moderators.' }) reason: string,
    @Args('fingerprint', { type: () => String, description: 'Fingerprint from the preview.' })
    fingerprint: string,
  ): Promise<OpenedCase> {
    const invalidation = { votes: parseVoteRefs(votes), category, reason, fingerprint };
    const context = commandContext(request, 'invalidateVotes');
    return this.commands.execute(new InvalidateVotes(context, invalidation));
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => Confirmation, {
    description: 'Invalidates the votes of a case that another moderator proposed.',
  })
  async confirmInvalidation(
    @Context() request: RequestContext,
    @Args('caseId', { type: () => ID }, IdPipe) caseId: string,
    @Args('fingerprint', { type: () => String, description: 'Fingerprint from the preview of its votes.' })
    fingerprint: string,
  ): Promise<Confirmation> {
    await this.commands.execute(
      new ConfirmInvalidation(commandContext(request, 'confirmInvalidation'), caseId, fingerprint),
    );
    return { _id: caseId };
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => Confirmation, {
    description: 'Declines a proposed case, or withdraws the caller’s own proposal.',
  })
  async declineInvalidation(
    @Context() request: RequestContext,
    @Args('caseId', { type: () => ID }, IdPipe) caseId: string,
    @Args('reason', { type: () => String, description: 'Visible only to moderators.' }) reason: string,
  ): Promise<Confirmation> {
    await this.commands.execute(
      new DeclineInvalidation(commandContext(request, 'declineInvalidation'), caseId, reason),
    );
    return { _id: caseId };
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => Confirmation, { description: 'Restores the votes of the case.' })
  async reverseInvalidation(
    @Context() request: RequestContext,
    @Args('caseId', { type: () => ID }, IdPipe) caseId: string,
    @Args('reason', { type: () => String }) reason: string,
  ): Promise<Confirmation> {
    await this.commands.execute(
      new ReverseInvalidation(commandContext(request, 'reverseInvalidation'), caseId, reason),
    );
    return { _id: caseId };
  }

  @HasRole('MODERATOR')
  @Confidential<object, InvalidationCasePage>('VOTE_CASES', ({ viewer, result: { docs } }) => ({
    spaceIds: namedSpaces(viewer),
    rows: docs.length,
  }))
  @Query(() => InvalidationCasePage, {
    description: 'Cases of the spaces the caller moderates, newest first.',
  })
  async getInvalidationCases(
    @CurrentViewer() viewer: Viewer,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<InvalidationCasePage> {
    const { page, limit } = parsePage(options ?? {}, CASES_PAGE_SIZE);
    const cases = await pageOfCases(this.pool, {
      spaces: moderatedSpaces(viewer),
      readerId: viewer.studentId,
      page,
      limit,
    });
    return { ...cases, docs: await this.withNames(cases.docs) };
  }

  @HasRole('MODERATOR')
  @Confidential<{ caseId: string }, InvalidationCaseDetail>(
    'VOTE_CASES',
    ({ result: { _id, spaces, reviewedVotes } }) => ({
      spaceIds: spaces.map((space) => space._id),
      caseId: _id,
      rows: reviewedVotes.length,
    }),
  )
  @Query(() => InvalidationCaseDetail)
  async getInvalidationCase(
    @CurrentViewer() viewer: Viewer,
    @Args('caseId', { type: () => ID }, IdPipe) caseId: string,
  ): Promise<InvalidationCaseDetail> {
    const caseView = await findCase(this.pool, caseId, viewer.studentId);
    const spaces = moderatedSpaces(viewer);
    // Does not reveal whether a case exists in other spaces.
    if (!caseView || (spaces !== 'all' && !caseView.spaceIds.every((spaceId) => spaces.includes(spaceId))))
      throw new DomainError('CASE_NOT_FOUND');
    const [[invalidationCase], votes, effect, isConfirmable] = await Promise.all([
      this.withNames([caseView]),
      listVotesOfCase(this.pool, caseId),
      this.effects.findRecorded(caseId),
      caseView.state === 'PROPOSED' && canBeConfirmed(this.pool, caseId),
    ]);
    if (!invalidationCase) throw new DomainError('CASE_NOT_FOUND');
    const reviewedVotes = await withVoteNames(this.pool, votes);
    return Object.assign(invalidationCase, {
      reviewedVotes,
      judgedVotes: reviewedVotes,
      canBeConfirmed: isConfirmable,
      effect: effect && (await effectForDisplay(this.pool, effect)),
    });
  }

  private async withNames(cases: readonly InvalidationCaseView[]): Promise<InvalidationCase[]> {
    const [person, space] = await Promise.all([
      peopleById(
        this.pool,
        cases.flatMap(({ moderatorId, proposedBy, declinedBy, reversedBy }) =>
          [moderatorId, proposedBy, declinedBy, reversedBy].filter((id) => id !== null),
        ),
      ),
      spacesById(
        this.pool,
        cases.flatMap(({ spaceIds }) => spaceIds),
      ),
    ]);
    const named = (id: string | null) => (id === null ? null : person(id));
    return cases.map(({ moderatorId, proposedBy, declinedBy, reversedBy, spaceIds, ...rest }) => ({
      ...rest,
      spaces: spaceIds.map(space),
      moderator: person(moderatorId),
      proposedBy: named(proposedBy),
      declinedBy: named(declinedBy),
      reversedBy: named(reversedBy),
    }));
  }
}

import { createHash } from 'node:crypto';
import {
  type ActingStudent,
  aggregate,
  type Aggregate,
  LARGE_CASE_DAYS,
  MAX_CASE_VOTES,
  type CaseStatus,
  caseDecider,
  confirmInvalidation,
  declineInvalidation,
  isInvolvedInVote,
  DomainError,
  invalidateVotes,
  type InvalidationCategory,
  isModeratorOf,
  type OwnCases,
  type ReviewedVote,
  reviewedVoteDecider,
  requireHeldVotes,
  reverseInvalidation,
  type VoteData,
  type VoteEvent,
} from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { ProjectionWaiter } from '@nimo/projection-engine';
import { Inject, Injectable } from '@nestjs/common';
import {
  effectOfCase,
  findOwnCases,
  hasRemovedSpace,
  type InvalidationEffect,
  isAnyInAnotherCase,
} from '@nimo/projections';
import { Pool } from 'pg';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { moderatedSpaces } from '../../../platform/auth/viewer.js';
import type { DomainStreams } from '../../../platform/commands/domain-streams.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { type CommandContext, deterministicId } from '../../../platform/commands/command-context.js';
import { EVENT_STORE } from '../../../platform/config/tokens.js';
import { ExclusiveWork } from '../../../platform/database/exclusive-work.js';
import { ApiError, SOMETHING_WENT_WRONG } from '../../../platform/errors/api-error.js';

/** Identifies a vote. Everything else about it is read from its stream, never taken from the caller. */
export interface VoteRef {
  readonly postId: string;
  readonly voterId: string;
}

const voteAggregates = (refs: readonly VoteRef[]): Aggregate<ReviewedVote, VoteEvent>[] =>
  refs.map(({ postId, voterId }) => aggregate(reviewedVoteDecider, postId, voterId));

/** @throws DomainError CASE_VOTES_INVALID for no votes, duplicates or too many, before any of them is read */
export function requireCaseSize(refs: readonly VoteRef[]): void {
  const distinct = new Set(voteAggregates(refs).map(({ streamId }) => streamId)).size;
  if (refs.length === 0 || refs.length > MAX_CASE_VOTES || distinct !== refs.length)
    throw new DomainError('CASE_VOTES_INVALID', { max: MAX_CASE_VOTES });
}

const voteStatesOf = (streams: DomainStreams, refs: readonly VoteRef[]): readonly ReviewedVote[] =>
  voteAggregates(refs).map((vote) => streams.state(vote));

/**
 * A vote that never existed has no space. A moderator of only some spaces gets the same error for it as for a vote in another space, so
 * that the error does not reveal who voted.
 */
function requireMayReview(by: ActingStudent, voteStates: readonly ReviewedVote[]): void {
  const isForbidden = ({ vote }: ReviewedVote) =>
    vote ? !isModeratorOf(by, vote.spaceId) : moderatedSpaces(by) !== 'all';
  if (voteStates.some(isForbidden)) throw new DomainError('FORBIDDEN');
  if (voteStates.some(({ vote }) => vote && isInvolvedInVote(by.studentId, vote)))
    throw new DomainError('OWN_VOTES_CASE');
}

/** Whether the student moderates the spaces of all votes and is concerned by none. */
const maySeeCase = (by: ActingStudent, votes: readonly VoteData[]): boolean =>
  votes.every((vote) => isModeratorOf(by, vote.spaceId) && !isInvolvedInVote(by.studentId, vote));

const spacesOf = (votes: readonly VoteData[]): readonly string[] => [
  ...new Set(votes.map(({ spaceId }) => spaceId)),
];

/** Changes whenever one of the votes is cast or withdrawn. */
function fingerprintOf(refs: readonly VoteRef[], voteStates: readonly ReviewedVote[]): string {
  const states = voteAggregates(refs).map(
    ({ streamId }, index) => `${streamId} ${voteStates[index]?.changes ?? 0}`,
  );
  return createHash('sha256').update(states.sort().join('\n')).digest('hex');
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Previews the effects of cases, and records them at confirmation. */
@Injectable()
export class CaseEffects {
  constructor(
    private readonly commands: CommandRunner,
    private readonly pool: Pool,
    private readonly waiter: ProjectionWaiter,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** Effect of invalidating these votes now. */
  async previewInvalidation(
    by: ActingStudent,
    caseId: string,
    refs: readonly VoteRef[],
  ): Promise<{
    fingerprint: string;
    isHeld: boolean;
    effect: InvalidationEffect;
    votes: readonly VoteData[];
  }> {
    const voteStates = voteStatesOf(await this.commands.load(voteAggregates(refs)), refs);
    requireMayReview(by, voteStates);
    const votes = voteStates.flatMap(({ vote }) => (vote ? [vote] : []));
    if (await hasRemovedSpace(this.pool, spacesOf(votes))) throw new DomainError('SPACE_NOT_FOUND');
    const data = { caseId, moderatorId: by.studentId, category: 'OTHER', reason: '', votes } as const;
    return {
      fingerprint: fingerprintOf(refs, voteStates),
      isHeld: voteStates.every(({ isHeld }) => isHeld),
      effect: await effectOfCase(this.pool, { type: 'VotesInvalidated', data }),
      votes,
    };
  }

  /**
   * The caller's other cases with these votes or votes for the same authors. Waits until the read model includes every case in the log,
   * and refuses otherwise: a case it does not show yet would not count.
   */
  async ownCases(by: ActingStudent, caseId: string, votes: readonly VoteData[]): Promise<OwnCases> {
    const head = await this.store.head();
    if (head !== undefined && (await this.waiter.waitFor(['patterns'], head)).stale)
      throw new ApiError('UNAVAILABLE', SOMETHING_WENT_WRONG);
    const since = new Date(Date.parse(this.commands.now()) - LARGE_CASE_DAYS * DAY_MS).toISOString();
    return findOwnCases(this.pool, { moderatorId: by.studentId, votes, caseId, since });
  }

  /** Effect of reversing the case now. */
  async previewReversal(by: ActingStudent, caseId: string): Promise<InvalidationEffect> {
    const state = await this.commands.state(aggregate(caseDecider, caseId));
    // Does not reveal whether a case exists in other spaces.
    if (state?.status !== 'INVALIDATED' || !maySeeCase(by, state.invalidation.votes))
      throw new DomainError('CASE_NOT_FOUND');
    const [spaceId, ...others] = spacesOf(state.invalidation.votes);
    if (spaceId !== undefined && others.length === 0 && (await hasRemovedSpace(this.pool, [spaceId])))
      throw new DomainError('CASE_NOT_FOUND');
    return effectOfCase(this.pool, { type: 'InvalidationReversed', data: state.invalidation });
  }

  async record(caseId: string, effect: InvalidationEffect): Promise<void> {
    await this.pool.query(
      'insert into state.case_effect (case_id, effect) values ($1, $2) on conflict (case_id) do nothing',
      [caseId, JSON.stringify(effect)],
    );
  }

  /** Null for an imported case, or one whose effect could not be recorded. */
  async findRecorded(caseId: string): Promise<InvalidationEffect | null> {
    const { rows } = await this.pool.query<{ effect: InvalidationEffect }>(
      'select effect from state.case_effect where case_id = $1',
      [caseId],
    );
    return rows[0]?.effect ?? null;
  }
}

interface Invalidation {
  readonly votes: readonly VoteRef[];
  readonly category: InvalidationCategory;
  readonly reason: string;
  /** Fingerprint of the confirmed preview. */
  readonly fingerprint: string;
}

export interface OpenedCase {
  readonly _id: string;
  readonly state: CaseStatus;
}

/** Invalidates votes, or proposes it if they are many. */
export class InvalidateVotes extends Command<OpenedCase> {
  constructor(
    readonly context: CommandContext,
    readonly invalidation: Invalidation,
  ) {
    super();
  }
}

@CommandHandler(InvalidateVotes)
export class InvalidateVotesHandler implements ICommandHandler<InvalidateVotes> {
  private readonly exclusive: ExclusiveWork;

  constructor(
    private readonly commands: CommandRunner,
    private readonly effects: CaseEffects,
    private readonly pool: Pool,
  ) {
    this.exclusive = new ExclusiveWork(pool);
  }

  async execute({ context, invalidation }: InvalidateVotes): Promise<OpenedCase> {
    const { votes: refs, category, reason, fingerprint } = invalidation;
    requireCaseSize(refs);
    const { by } = context;
    const caseId = deterministicId(context, 'case');
    const preview = await this.effects.previewInvalidation(by, caseId, refs);
    // Two cases of a moderator at the same moment would not count each other.
    const { events } = await this.exclusive.run(`invalidations by ${by.studentId}`, async () => {
      const [ownCases, isInAnotherCase] = await Promise.all([
        this.effects.ownCases(by, caseId, preview.votes),
        isAnyInAnotherCase(this.pool, refs, caseId),
      ]);
      return this.commands.run(context, {
        on: aggregate(caseDecider, caseId),
        reads: voteAggregates(refs),
        decide: (state, streams) => {
          const voteStates = voteStatesOf(streams, refs);
          requireMayReview(by, voteStates);
          if (fingerprint !== fingerprintOf(refs, voteStates)) throw new DomainError('CASE_VOTES_CHANGED');
          const votes = requireHeldVotes(voteStates);
          if (isInAnotherCase) throw new DomainError('CASE_VOTE_NOT_STANDING');
          return invalidateVotes({ actor: by, caseId, votes, category, reason, ownCases }, state);
        },
        visibleIn: ['patterns', 'questions', 'leaderboard'],
      });
    });
    if (events.some(({ type }) => type === 'InvalidationProposed')) return { _id: caseId, state: 'PROPOSED' };
    await this.effects.record(caseId, preview.effect);
    return { _id: caseId, state: 'INVALIDATED' };
  }
}

/** Confirms a proposal of another moderator. */
export class ConfirmInvalidation extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly caseId: string,
    /** Fingerprint of the confirmed preview. */
    readonly fingerprint: string,
  ) {
    super();
  }
}

@CommandHandler(ConfirmInvalidation)
export class ConfirmInvalidationHandler implements ICommandHandler<ConfirmInvalidation> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly effects: CaseEffects,
    private readonly pool: Pool,
  ) {}

  async execute({ context, caseId, fingerprint }: ConfirmInvalidation): Promise<void> {
    const { by } = context;
    const proposed = await this.commands.state(aggregate(caseDecider, caseId));
    if (!proposed) throw new DomainError('CASE_NOT_FOUND');
    const refs = proposed.invalidation.votes;
    const [{ effect }, isInAnotherCase] = await Promise.all([
      this.effects.previewInvalidation(by, caseId, refs),
      isAnyInAnotherCase(this.pool, refs, caseId),
    ]);
    await this.commands.run(context, {
      on: aggregate(caseDecider, caseId),
      reads: voteAggregates(refs),
      decide: (state, streams) => {
        const voteStates = voteStatesOf(streams, refs);
        const votes = voteStates.flatMap(({ vote, isHeld }) => (vote && isHeld ? [vote] : []));
        const decided = confirmInvalidation({ actor: by, votes }, state);
        if (fingerprint !== fingerprintOf(refs, voteStates)) throw new DomainError('CASE_VOTES_CHANGED');
        if (isInAnotherCase) throw new DomainError('CASE_VOTE_NOT_STANDING');
        return decided;
      },
      visibleIn: ['patterns', 'questions', 'leaderboard'],
    });
    await this.effects.record(caseId, effect);
  }
}

/** Declines a proposal, or withdraws the caller's own. */
export class DeclineInvalidation extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly caseId: string,
    readonly reason: string,
  ) {
    super();
  }
}

@CommandHandler(DeclineInvalidation)
export class DeclineInvalidationHandler implements ICommandHandler<DeclineInvalidation> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, caseId, reason }: DeclineInvalidation): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(caseDecider, caseId),
      decide: (state) => declineInvalidation({ actor: context.by, reason }, state),
      visibleIn: ['patterns'],
    });
  }
}

/** Restores the votes of a case. */
export class ReverseInvalidation extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly caseId: string,
    readonly reason: string,
  ) {
    super();
  }
}

@CommandHandler(ReverseInvalidation)
export class ReverseInvalidationHandler implements ICommandHandler<ReverseInvalidation> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, caseId, reason }: ReverseInvalidation): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(caseDecider, caseId),
      decide: (state) => reverseInvalidation({ actor: context.by, reason }, state),
      visibleIn: ['patterns', 'questions', 'leaderboard'],
    });
  }
}

import { createHash } from 'node:crypto';
import {
  type ActingStudent,
  aggregate,
  type Aggregate,
  MAX_CASE_VOTES,
  caseDecider,
  concernsVoteOf,
  DomainError,
  invalidateVotes,
  type InvalidationCategory,
  isModeratorOf,
  type JudgedVote,
  judgedVoteDecider,
  requireHeldVotes,
  reverseInvalidation,
  type VoteData,
  type VoteEvent,
} from '@nimo/domain';
import { Injectable } from '@nestjs/common';
import { effectOfCase, type InvalidationEffect, isAnyInAnotherCase } from '@nimo/projections';
import { Pool } from 'pg';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { moderatedSpaces } from '../../../platform/auth/viewer.js';
import type { DomainStreams } from '../../../platform/commands/domain-streams.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { type CommandContext, createdId } from '../../../platform/commands/command-context.js';

/** Which vote is meant. What it is, its stream says and never the caller. */
export interface VoteRef {
  readonly postId: string;
  readonly voterId: string;
}

const votesOf = (refs: readonly VoteRef[]): Aggregate<JudgedVote, VoteEvent>[] =>
  refs.map(({ postId, voterId }) => aggregate(judgedVoteDecider, postId, voterId));

/** @throws DomainError CASE_VOTES_INVALID before anything is read for too many, or for none */
export function requireCaseSize(refs: readonly VoteRef[]): void {
  const different = new Set(votesOf(refs).map(({ streamId }) => streamId)).size;
  if (refs.length === 0 || refs.length > MAX_CASE_VOTES || different !== refs.length)
    throw new DomainError('CASE_VOTES_INVALID', { max: MAX_CASE_VOTES });
}

const judgedVotesOf = (streams: DomainStreams, refs: readonly VoteRef[]): readonly JudgedVote[] =>
  votesOf(refs).map((vote) => streams.state(vote));

/**
 * Of a vote that never was nobody knows the space: a moderator of some spaces is told the same as of a vote in another space, so that
 * asking does not tell who voted there.
 */
function requireMayJudge(by: ActingStudent, judged: readonly JudgedVote[]): void {
  const isForbidden = ({ vote }: JudgedVote) =>
    vote ? !isModeratorOf(by, vote.spaceId) : moderatedSpaces(by) !== 'all';
  if (judged.some(isForbidden)) throw new DomainError('FORBIDDEN');
  if (judged.some(({ vote }) => vote && concernsVoteOf(by.studentId, vote)))
    throw new DomainError('OWN_VOTES_CASE');
}

/** Of the spaces of all of them, and concerned by none. */
const maySeeCase = (by: ActingStudent, votes: readonly VoteData[]): boolean =>
  votes.every((vote) => isModeratorOf(by, vote.spaceId) && !concernsVoteOf(by.studentId, vote));

/** Differs as soon as one of the votes is cast or withdrawn again. */
function fingerprintOf(refs: readonly VoteRef[], judged: readonly JudgedVote[]): string {
  const states = votesOf(refs).map(({ streamId }, place) => `${streamId} ${judged[place]?.changes ?? 0}`);
  return createHash('sha256').update(states.sort().join('\n')).digest('hex');
}

/** What cases would do, and what they did when they were confirmed. */
@Injectable()
export class CaseEffects {
  constructor(
    private readonly commands: CommandRunner,
    private readonly pool: Pool,
  ) {}

  /** Of declaring these votes invalid now. */
  async ofInvalidating(
    by: ActingStudent,
    caseId: string,
    refs: readonly VoteRef[],
  ): Promise<{ fingerprint: string; isHeld: boolean; effect: InvalidationEffect }> {
    const judged = judgedVotesOf(await this.commands.look(votesOf(refs)), refs);
    requireMayJudge(by, judged);
    const votes = judged.flatMap(({ vote }) => (vote ? [vote] : []));
    const data = { caseId, moderatorId: by.studentId, category: 'OTHER', reason: '', votes } as const;
    return {
      fingerprint: fingerprintOf(refs, judged),
      isHeld: judged.every(({ isHeld }) => isHeld),
      effect: await effectOfCase(this.pool, { type: 'VotesInvalidated', data }),
    };
  }

  /** Of reversing the case now. */
  async ofReversing(by: ActingStudent, caseId: string): Promise<InvalidationEffect> {
    const state = await this.commands.state(aggregate(caseDecider, caseId));
    // Whether a case of other spaces is there is not told either.
    if (!state || !maySeeCase(by, state.invalidation.votes)) throw new DomainError('CASE_NOT_FOUND');
    return effectOfCase(this.pool, { type: 'InvalidationReversed', data: state.invalidation });
  }

  async record(caseId: string, effect: InvalidationEffect): Promise<void> {
    await this.pool.query(
      'insert into state.case_effect (case_id, effect) values ($1, $2) on conflict (case_id) do nothing',
      [caseId, JSON.stringify(effect)],
    );
  }

  /** Null for a case of an import or of a moment at which this record could not be written. */
  async recorded(caseId: string): Promise<InvalidationEffect | null> {
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
  /** Of the preview: what was confirmed. */
  readonly fingerprint: string;
}

/** Declares votes invalid; answers with the case's id. */
export class InvalidateVotes extends Command<string> {
  constructor(
    readonly context: CommandContext,
    readonly invalidation: Invalidation,
  ) {
    super();
  }
}

@CommandHandler(InvalidateVotes)
export class InvalidateVotesHandler implements ICommandHandler<InvalidateVotes> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly effects: CaseEffects,
    private readonly pool: Pool,
  ) {}

  async execute({ context, invalidation }: InvalidateVotes): Promise<string> {
    const { votes: refs, category, reason, fingerprint } = invalidation;
    requireCaseSize(refs);
    const caseId = createdId(context, 'case');
    const [{ effect }, isJudgedAlready] = await Promise.all([
      this.effects.ofInvalidating(context.by, caseId, refs),
      isAnyInAnotherCase(this.pool, refs, caseId),
    ]);
    await this.commands.run(context, {
      on: aggregate(caseDecider, caseId),
      reads: votesOf(refs),
      decide: (state, streams) => {
        const judged = judgedVotesOf(streams, refs);
        requireMayJudge(context.by, judged);
        if (fingerprint !== fingerprintOf(refs, judged)) throw new DomainError('CASE_VOTES_CHANGED');
        const votes = requireHeldVotes(judged);
        if (isJudgedAlready) throw new DomainError('CASE_VOTE_NOT_STANDING');
        const command = { actor: context.by, caseId, votes, category, reason };
        return invalidateVotes(command, state);
      },
      visibleIn: ['patterns', 'questions', 'leaderboard'],
    });
    await this.effects.record(caseId, effect);
    return caseId;
  }
}

/** The case's votes count again. */
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

import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  caseDecider,
  DomainError,
  invalidateVotes,
  requireHeldVotes,
  type InvalidationCategory,
} from '@nimo/domain';
import { isAnyInAnotherCase } from '@nimo/projections';
import { Pool } from 'pg';
import { createdId, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { CaseEffects } from './case-effects.js';
import {
  fingerprintOf,
  judgedVotesOf,
  requireCaseSize,
  requireMayJudge,
  votesOf,
  type VoteRef,
} from './judged-votes.js';

export interface Invalidation {
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

import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  caseStream,
  DomainError,
  evolveCase,
  initialCase,
  invalidateVotes,
  requireHeldVotes,
  type InvalidationCategory,
} from '@nimo/domain';
import { isAnyInAnotherCase } from '@nimo/projections';
import { Pool } from 'pg';
import { createdId, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Days } from '../../../platform/commands/days.js';
import { CaseEffects } from './case-effects.js';
import {
  fingerprintOf,
  judgedVotesOf,
  requireCaseSize,
  requireMayJudge,
  streamsOfVotes,
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
    private readonly days: Days,
  ) {}

  async execute({ context, invalidation }: InvalidateVotes): Promise<string> {
    const { votes: refs, category, reason, fingerprint } = invalidation;
    requireCaseSize(refs);
    const caseId = createdId(context, 'case');
    const streamId = caseStream(caseId);
    const [{ effect }, isJudgedAlready] = await Promise.all([
      this.effects.ofInvalidating(context.by, caseId, refs),
      isAnyInAnotherCase(this.pool, refs, caseId),
    ]);
    await this.days.begin();
    await this.commands.run(context, {
      // Of a vote counts how often it was cast and withdrawn.
      whole: true,
      streams: [streamId, ...streamsOfVotes(refs)],
      decide: (streams) => {
        const judged = judgedVotesOf(streams, refs);
        requireMayJudge(context.by, judged);
        if (fingerprint !== fingerprintOf(refs, judged)) throw new DomainError('CASE_VOTES_CHANGED');
        const votes = requireHeldVotes(judged);
        if (isJudgedAlready) throw new DomainError('CASE_VOTE_NOT_STANDING');
        const command = { actor: context.by, caseId, votes, category, reason };
        return {
          streamId,
          events: invalidateVotes(command, streams.state(streamId, initialCase, evolveCase)),
        };
      },
      visibleIn: ['patterns', 'questions', 'leaderboard'],
    });
    await this.effects.record(caseId, effect);
    return caseId;
  }
}

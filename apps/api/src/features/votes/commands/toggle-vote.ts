import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  DomainError,
  MERIT_FLOOR,
  membershipDecider,
  rulesAt,
  safeguardsOf,
  type ToggleVote as ToggleVoteCommand,
  toggleVote,
  voteDecider,
  type PostType,
  type VoteDirection,
} from '@nimo/domain';
import type { CommandResult } from '@nimo/event-store';
import { findMerit, listScoringRules } from '@nimo/projections';
import { Pool } from 'pg';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { PostLocator } from '../../posts/post-locator.js';
import { isMember, removalAggregates, votablePostFacts } from '../../posts/post-facts.js';

export interface Vote {
  readonly postType: PostType;
  readonly postId: string;
  readonly direction: VoteDirection;
  /** Set by imports when the source does not name the voter. */
  readonly voterIsStandIn?: boolean;
}

export class ToggleVote extends Command<CommandResult> {
  constructor(
    readonly context: CommandContext,
    readonly vote: Vote,
  ) {
    super();
  }
}

@CommandHandler(ToggleVote)
export class ToggleVoteHandler implements ICommandHandler<ToggleVote> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly posts: PostLocator,
    private readonly pool: Pool,
  ) {}

  async execute({ context, vote }: ToggleVote): Promise<CommandResult> {
    const { by } = context;
    const located = await this.posts.find(vote.postType, vote.postId);
    if (!located) throw new DomainError('POST_NOT_FOUND');
    const post = { ...located, postType: vote.postType };
    const charge = await this.downvoteCharge(context, vote, post.spaceId);
    return this.commands.run(context, {
      on: aggregate(voteDecider, post.postId, by.studentId),
      reads: [...removalAggregates(post), aggregate(membershipDecider, post.spaceId, by.studentId)],
      decide: (state, streams) => {
        const command = {
          actor: by,
          isMember: isMember(streams, post.spaceId, by.studentId),
          voterIsStandIn: vote.voterIsStandIn ?? false,
          post: votablePostFacts(streams, post),
          direction: vote.direction,
          charge,
        };
        return toggleVote(command, state);
      },
      // With a charge, the next downvote must see the merit that this one leaves.
      visibleIn: charge ? ['questions', 'leaderboard'] : ['questions'],
    });
  }

  /** Undefined unless the rules in force require merit for this vote. */
  private async downvoteCharge(
    { by: { studentId }, occurredAt }: CommandContext,
    { direction, voterIsStandIn = false }: Vote,
    spaceId: string,
  ): Promise<ToggleVoteCommand['charge']> {
    if (direction !== 'DOWN' || voterIsStandIn) return undefined;
    const rules = rulesAt(await listScoringRules(this.pool), occurredAt ?? this.commands.now());
    if (!safeguardsOf(rules).downvotesNeedMerit) return undefined;
    const merit = (await findMerit(this.pool, { spaceId, studentId })) ?? MERIT_FLOOR;
    return { merit, cost: -rules.weights.DOWNVOTE_CAST.merit };
  }
}

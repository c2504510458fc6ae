import { Injectable } from '@nestjs/common';
import {
  aggregate,
  DomainError,
  moderationDecider,
  type AnyAggregate,
  type CaseFacts,
  type ModerationEvent,
  type ModerationState,
  type SeenCase,
} from '@nimo/domain';
import { findAuthorsByIds, type CaseStanding } from '@nimo/projections';
import { Pool } from 'pg';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import type { DomainStreams } from '../../platform/commands/domain-streams.js';
import { PostLocator } from '../posts/post-locator.js';
import { postFacts, standingAggregates } from '../posts/post-standing.js';

export interface CaseDecision {
  readonly standing: CaseStanding;
  readonly seen: SeenCase;
  /** What else the decision looks at. */
  readonly reads?: readonly AnyAggregate[];
  readonly decide: (
    facts: CaseFacts,
    state: ModerationState,
    streams: DomainStreams,
  ) => readonly ModerationEvent[];
}

/**
 * What all decisions about a case have in common: of two at the same moment one is written, and the other is told of it, as it is of a
 * report that came since the case was seen.
 */
@Injectable()
export class CaseDecisions {
  constructor(
    private readonly commands: CommandRunner,
    private readonly posts: PostLocator,
    private readonly pool: Pool,
  ) {}

  async run(context: CommandContext, decision: CaseDecision): Promise<void> {
    try {
      await this.append(context, decision);
    } catch (error) {
      throw error instanceof DomainError ? await this.withName(error) : error;
    }
  }

  private async append(context: CommandContext, { standing, seen, reads = [], decide }: CaseDecision) {
    const { postType, postId } = standing;
    const post = await this.posts.find(postType, postId);
    if (!post) throw new DomainError('POST_NOT_FOUND');
    const moderation = aggregate(moderationDecider, postId);
    await this.commands.run(context, {
      on: moderation,
      reads: [...standingAggregates(post), ...reads],
      decide: (state, loaded) => {
        const facts: CaseFacts = {
          actor: context.by,
          post: postFacts(loaded, post),
          openReports: state.openReporterIds.length,
          isReporter: state.reporterIds.includes(context.by.studentId),
          decidedAt: loaded.lastMoment(moderation, (type) => type !== 'PostReported'),
          seen,
        };
        return decide(facts, state, loaded);
      },
      visibleIn: ['moderation', 'questions'],
    });
  }

  /** The decision knows its rival by id only. */
  private async withName(error: DomainError): Promise<DomainError> {
    const { moderator } = error.params;
    if (error.code !== 'CASE_ALREADY_DECIDED' || typeof moderator !== 'string') return error;
    const [person] = await findAuthorsByIds(this.pool, [moderator]);
    return new DomainError(error.code, { ...error.params, moderator: person?.userName ?? '' });
  }
}

import { Field, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { countEntryRequests, countOpenCases, countProposedCases } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Untraced } from '../../platform/traces/traces.js';
import { VotePatterns } from '../patterns/vote-patterns.js';
import { ModerationAccess } from './moderation-cases.js';

@ObjectType({ description: 'Open work in all spaces the caller moderates.' })
class ModerationCounts {
  @Field(() => Int, { description: 'Open cases the caller may decide.' }) readonly reportedPosts!: number;
  @Field(() => Int, { description: 'Open requests to join, without the caller’s own.' })
  readonly entryRequests!: number;
  @Field(() => Int, { description: 'Vote patterns to triage. May lag by ten minutes.' })
  readonly votePatterns!: number;
  @Field(() => Int, { description: 'Proposed cases of other moderators, to confirm or decline.' })
  readonly proposedCases!: number;
}

@Resolver(() => ModerationCounts)
export class ModerationCountsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly access: ModerationAccess,
    private readonly patterns: VotePatterns,
  ) {}

  @HasRole('MODERATOR')
  @Untraced('counts only, no personal data')
  @Query(() => ModerationCounts, {
    description: 'Number of open cases, requests to join, vote patterns and proposed cases.',
  })
  async getModerationCounts(@CurrentViewer() viewer: Viewer): Promise<ModerationCounts> {
    const scope = this.access.scopeOf(viewer, null);
    const [reportedPosts, entryRequests, patterns, proposedCases] = await Promise.all([
      countOpenCases(this.pool, scope),
      countEntryRequests(this.pool, scope),
      this.patterns.toTriage(viewer),
      countProposedCases(this.pool, scope),
    ]);
    return {
      reportedPosts,
      entryRequests,
      votePatterns: patterns.reduce((sum, { count }) => sum + count, 0),
      proposedCases,
    };
  }
}

import { Inject } from '@nestjs/common';
import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import {
  DEFAULT_SCORING_RULES,
  DomainError,
  latestVersion,
  LEADERBOARD_PAGE_SIZE,
  requireScoringRules,
  safeguardsOf,
  type ScoringRules,
} from '@nimo/domain';
import { findTrialSummary, listScoringRules, pageOfScoreMoves } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { IdPipe, parseId, parseOptionalId } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { CLOCK, type Clock } from '../../platform/config/tokens.js';
import { ScoringDrafts } from './scoring-drafts.js';
import { ScoringTrials, type Trial } from './scoring-trials.js';
import { LeaderboardUnderRules, ScoreMovePage, ScoringMovesArgs, ScoringTrial } from './scoring.type.js';
import { Untraced } from '../../platform/traces/traces.js';

/** Previews of draft rules, and leaderboards under earlier rules. */
@Resolver()
export class ScoringTrialsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly drafts: ScoringDrafts,
    private readonly trials: ScoringTrials,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => ScoringTrial, {
    description:
      'Previews this revision of the draft over the entire history, without changing any scores. `effectiveFrom` defaults to that of the draft; null means the entire history.',
  })
  async tryScoringDraft(
    @CurrentViewer() { studentId }: Viewer,
    @Args('revision', { type: () => ID }, IdPipe) revision: string,
    @Args('effectiveFrom', { type: () => DateTimeScalar, nullable: true }) requestedStart?: string | null,
  ): Promise<ScoringTrial> {
    const { effectiveFrom: drafted, weights, reportThreshold, ...draft } = await this.drafts.get(revision);
    const rules = requireScoringRules(
      {
        effectiveFrom: requestedStart === undefined ? drafted : requestedStart,
        weights,
        reportThreshold,
        ...safeguardsOf(draft),
      },
      { now: this.clock().toISOString() },
    );
    const published = await listScoringRules(this.pool);
    const version = latestVersion(published) + 1;
    const versions = [...published, { ...rules, version, note: '' }];
    const { effectiveFrom } = rules;
    return this.shown(await this.trials.run({ owner: studentId, versions, effectiveFrom }));
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => Boolean, { description: 'Stops the caller’s running preview. False if there is none.' })
  async stopScoringTrial(@CurrentViewer() { studentId }: Viewer): Promise<boolean> {
    return this.trials.stop(studentId);
  }

  @HasRole('MAINTAINER')
  @Untraced('names and scores that every member sees on leaderboards, under other rules')
  @Query(() => ScoringTrial, { description: 'A preview. `space` limits the figures to one space.' })
  async getScoringTrial(
    @Args('trial', { type: () => ID }, IdPipe) trialId: string,
    @Args('space', { type: () => ID, nullable: true }) space?: string | null,
  ): Promise<ScoringTrial> {
    return this.shown(await this.trials.get(trialId), parseOptionalId('space', space));
  }

  @HasRole('MAINTAINER')
  @Untraced('names and scores that every member sees on leaderboards, under other rules')
  @Query(() => ScoreMovePage)
  async getScoringMoves(@Args() args: ScoringMovesArgs): Promise<ScoreMovePage> {
    const { trialId } = await this.trials.get(parseId('trial', args.trial));
    const { page, limit } = parsePage(args.paginateOptions ?? {}, LEADERBOARD_PAGE_SIZE);
    return pageOfScoreMoves(this.pool, {
      trialId,
      only: args.only ?? 'MOVERS',
      sort: args.sort ?? 'GAIN',
      spaceId: parseOptionalId('space', args.space),
      search: args.search ?? undefined,
      page,
      limit,
    });
  }

  @HasRole('MAINTAINER')
  @Untraced('names and scores that every member sees on leaderboards, under other rules')
  @Query(() => LeaderboardUnderRules)
  async getLeaderboardUnderRules(
    @Args('version', { type: () => Int }) version: number,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<LeaderboardUnderRules> {
    const { page, limit } = parsePage(options ?? {}, LEADERBOARD_PAGE_SIZE);
    const { trialId, madeAt } = await this.trialOf(version);
    const found = await pageOfScoreMoves(this.pool, { trialId, spaceId, sort: 'RANK', page, limit });
    return { ...found, version, calculatedAt: madeAt, madeAt };
  }

  private async trialOf(version: number): Promise<Trial> {
    const published = await listScoringRules(this.pool);
    const owner = `version ${version} of ${latestVersion(published)}`;
    if (![DEFAULT_SCORING_RULES, ...published].some((known) => known.version === version))
      throw new DomainError('SCORING_VERSION_NOT_FOUND');
    const versions: ScoringRules[] = published.filter((known) => known.version <= version);
    return (
      (await this.trials.latestOf(owner)) ??
      this.trials.run({ owner, versions, effectiveFrom: null, isShared: true })
    );
  }

  private async shown({ trialId, ...trial }: Trial, spaceId?: string): Promise<ScoringTrial> {
    const summary = await findTrialSummary(this.pool, { trialId, spaceId });
    return { _id: trialId, ...trial, calculatedAt: trial.madeAt, durationMs: trial.tookMs, ...summary };
  }
}

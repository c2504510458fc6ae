import { Inject } from '@nestjs/common';
import { Args, ID, Query, Resolver } from '@nestjs/graphql';
import {
  DEFAULT_SCORING_RULES,
  DomainError,
  FACT_KINDS,
  safeguardsOf,
  takesEffect,
  type FactKind,
} from '@nimo/domain';
import {
  EXPLANATION_PAGE_SIZE,
  findAuthorsByIds,
  listScoreHistory,
  listScoringVersions,
  pageOfScoreExplanation,
} from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { IdPipe, parseOptionalId } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import { CLOCK, type Clock } from '../../platform/config/tokens.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import {
  CurrentScoringRules,
  ScoreDay,
  ScoreExplanationPage,
  ScoreReasonKindEnum,
} from './score-explanation.type.js';
import { Confidential } from '../../platform/traces/traces.js';
import { type ScoreArgs, scoreReadScope } from './leaderboard.resolver.js';

@Resolver()
export class ScoreExplanationResolver {
  constructor(
    private readonly pool: Pool,
    private readonly access: SpaceAccess,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @SignedIn()
  @Confidential<ScoreArgs, ScoreExplanationPage>('SCORES', scoreReadScope)
  @Query(() => ScoreExplanationPage, {
    description: 'Every point of the caller’s score. Moderators can pass another member as `studentId`.',
  })
  async getScoreExplanation(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID, nullable: true }) named?: string | null,
    @Args('kinds', { type: () => [ScoreReasonKindEnum], nullable: true }) kinds?: readonly FactKind[] | null,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<ScoreExplanationPage> {
    const { page, limit } = parsePage(options ?? {}, EXPLANATION_PAGE_SIZE);
    const studentId = parseOptionalId('studentId', named) ?? viewer.studentId;
    await this.access.assertMayRead(viewer, spaceId);
    if (studentId !== viewer.studentId && !hasRole(viewer, 'MODERATOR', spaceId))
      throw new DomainError('FORBIDDEN');
    const [explanation, authors] = await Promise.all([
      pageOfScoreExplanation(this.pool, {
        spaceId,
        studentId,
        kinds: kinds ?? undefined,
        now: this.clock(),
        page,
        limit,
      }),
      findAuthorsByIds(this.pool, [studentId]),
    ]);
    return { ...explanation, student: authors[0] ?? null };
  }

  @SignedIn()
  @Query(() => [ScoreDay], { description: 'The caller’s score at the end of each day on which it changed.' })
  async getOwnScoreHistory(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<readonly ScoreDay[]> {
    await this.access.assertMayRead(viewer, spaceId);
    return listScoreHistory(this.pool, { spaceId, studentId: viewer.studentId });
  }

  @SignedIn()
  @Query(() => CurrentScoringRules, { description: 'Scoring rules in force, the same in all spaces.' })
  async getScoringRules(): Promise<CurrentScoringRules> {
    const versions = await listScoringVersions(this.pool, this.clock());
    const inForce = versions.find(({ state }) => state === 'IN_FORCE') ?? DEFAULT_SCORING_RULES;
    const { version, reportThreshold, weights } = inForce;
    return {
      version,
      reportThreshold,
      weights: FACT_KINDS.map((kind) => ({ kind, ...weights[kind] })),
      safeguards: safeguardsOf(inForce),
      changes: versions.flatMap((change) => {
        const { publishedAt, state } = change;
        if (publishedAt === null || !takesEffect(change, versions)) return [];
        return [{ ...change, publishedAt, isScheduled: state === 'SCHEDULED' }];
      }),
    };
  }
}

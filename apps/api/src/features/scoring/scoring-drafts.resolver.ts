import { Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import {
  aggregate,
  DomainError,
  FACT_KINDS,
  safeguardsOf,
  scoringRulesDecider,
  type FactKind,
  type ScoringRules,
  type Weight,
} from '@nimo/domain';
import { type AuthorView, findAuthorsByIds, listScoringVersions } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { IdPipe, parseOptionalId } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { CLOCK, type Clock } from '../../platform/config/tokens.js';
import { Confirmation } from '../questions/questions.resolver.js';
import { PublishScoringRules, RULES_VISIBLE_IN, WithdrawScoringRules } from './commands/scoring-rules.js';
import { ScoringDrafts, type ScoringDraftRow } from './scoring-drafts.js';
import { ScoringDraft, ScoringDraftInput, ScoringVersion, type ScoringWeightInput } from './scoring.type.js';
import { Untraced } from '../../platform/traces/traces.js';

/** Versions of the scoring rules, and the draft of the next one. */
@Resolver()
export class ScoringDraftsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly drafts: ScoringDrafts,
    private readonly commands: CommandBus,
    private readonly runner: CommandRunner,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @HasRole('MAINTAINER')
  @Untraced('rules, no personal data')
  @Query(() => [ScoringVersion], {
    description: 'All versions, newest first, including the initial rules.',
  })
  async getScoringVersions(): Promise<readonly ScoringVersion[]> {
    const versions = await listScoringVersions(this.pool, this.clock());
    const authors = await this.authorsOf(
      versions.flatMap(({ publishedBy, withdrawnBy }) => [publishedBy, withdrawnBy]),
    );
    return versions.map((version) => ({
      ...version,
      weights: weightList(version.weights),
      safeguards: safeguardsOf(version),
      publishedBy: authors(version.publishedBy),
      withdrawnBy: authors(version.withdrawnBy),
    }));
  }

  @HasRole('MAINTAINER')
  @Untraced('rules, no personal data')
  @Query(() => ScoringDraft, { nullable: true })
  async getScoringDraft(): Promise<ScoringDraft | null> {
    const draft = await this.drafts.find();
    return draft && this.shown(draft);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => ScoringDraft, {
    description: 'Saves the draft. `revision` is the revision it was based on; omit it for a new draft.',
  })
  async saveScoringDraft(
    @CurrentViewer() viewer: Viewer,
    @Args('draft', { type: () => ScoringDraftInput }) draft: ScoringDraftInput,
    @Args('revision', { type: () => ID, nullable: true }) revision?: string | null,
  ): Promise<ScoringDraft> {
    const base = await this.findVersion(draft.basedOn);
    const { basedOn, reportThreshold, effectiveFrom = null } = draft;
    const safeguards = draft.safeguards ?? safeguardsOf(base);
    const weights = weightsFrom(draft.weights);
    const rules = { basedOn, effectiveFrom, reportThreshold, weights, ...safeguards };
    const seenRevision = parseOptionalId('revision', revision) ?? null;
    return this.shown(await this.drafts.save(rules, viewer.studentId, seenRevision));
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => Confirmation)
  async discardScoringDraft(
    @Args('revision', { type: () => ID }, IdPipe) revision: string,
  ): Promise<Confirmation> {
    await this.drafts.discard(revision);
    return { _id: revision };
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => Confirmation, {
    description:
      'Publishes this revision of the draft. `expectedVersion` is the latest version known to the author, without withdrawn ones. `effectiveFrom` defaults to that of the draft; null means the entire history.',
  })
  async publishScoringDraft(
    @Context() request: RequestContext,
    @Args('revision', { type: () => ID }, IdPipe) revision: string,
    @Args('expectedVersion', { type: () => Int }) expectedVersion: number,
    @Args('note', { type: () => String }) note: string,
    @Args('effectiveFrom', { type: () => DateTimeScalar, nullable: true }) effectiveFrom?: string | null,
  ): Promise<Confirmation> {
    const context = commandContext(request, 'publishScoringDraft');
    // On a retry, the draft is already gone.
    if (await this.runner.isDuplicate(context, aggregate(scoringRulesDecider), RULES_VISIBLE_IN))
      return { _id: revision };
    const draft = await this.drafts.get(revision);
    const rules = {
      basedOn: expectedVersion,
      weights: draft.weights,
      reportThreshold: draft.reportThreshold,
      ...safeguardsOf(draft),
      note,
      effectiveFrom: effectiveFrom === undefined ? draft.effectiveFrom : effectiveFrom,
    };
    await this.commands.execute(new PublishScoringRules(context, rules));
    // A draft changed in the meantime is kept.
    await this.drafts.discard(revision).catch(ignoreChanged);
    return { _id: revision };
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => Confirmation, {
    description:
      'Withdraws a scheduled version before it takes effect. It stays in the history, and its number is not reused.',
  })
  async withdrawScoringVersion(
    @Context() request: RequestContext,
    @Args('version', { type: () => Int }) version: number,
    @Args('reason', { type: () => String }) reason: string,
  ): Promise<Confirmation> {
    const context = commandContext(request, 'withdrawScoringVersion');
    await this.commands.execute(new WithdrawScoringRules(context, { version, reason }));
    return { _id: String(version) };
  }

  private async findVersion(version: number): Promise<ScoringRules> {
    const versions = await listScoringVersions(this.pool, this.clock());
    const found = versions.find((known) => known.version === version);
    if (!found) throw new DomainError('SCORING_VERSION_NOT_FOUND');
    return found;
  }

  private async shown(draft: ScoringDraftRow): Promise<ScoringDraft> {
    const authors = await this.authorsOf([draft.savedBy]);
    const safeguards = safeguardsOf(draft);
    return { ...draft, weights: weightList(draft.weights), safeguards, savedBy: authors(draft.savedBy) };
  }

  private async authorsOf(
    ids: readonly (string | null)[],
  ): Promise<(id: string | null) => AuthorView | null> {
    const found = await findAuthorsByIds(this.pool, [...new Set(ids.filter((id) => id !== null))]);
    const byId = new Map(found.flatMap((author) => (author ? [[author._id, author] as const] : [])));
    return (id) => (id === null ? null : (byId.get(id) ?? null));
  }
}

const weightList = (weights: ScoringRules['weights']) =>
  FACT_KINDS.map((kind) => ({ kind, ...weights[kind] }));

/** Missing kinds are refused by the domain. @throws DomainError SCORING_RULES_INVALID for duplicate kinds */
function weightsFrom(list: readonly ScoringWeightInput[]): ScoringRules['weights'] {
  const weights: Partial<Record<FactKind, Weight>> = {};
  for (const { kind, merit, impact } of list) {
    if (weights[kind]) throw new DomainError('SCORING_RULES_INVALID', { problem: `${kind} appears twice` });
    weights[kind] = { merit, impact };
  }
  return weights as ScoringRules['weights'];
}

function ignoreChanged(error: unknown): void {
  if (!(error instanceof DomainError) || error.code !== 'SCORING_DRAFT_CHANGED') throw error;
}

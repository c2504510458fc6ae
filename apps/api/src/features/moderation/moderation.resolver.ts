import { Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  Args,
  Context,
  ID,
  Int,
  Mutation,
  Parent,
  Query,
  ResolveField,
  Resolver,
  Subscription,
} from '@nestjs/graphql';
import { DomainError, MODERATION_PAGE_SIZE, type Penalty } from '@nimo/domain';
import {
  countOpenCases,
  findPenaltyEffects,
  listSpaceModerators,
  pageOfModerationQueue,
  type AuthorView,
  type QueuedCaseView,
  type QueueState,
  type QueueCursor,
} from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe, parseOptionalId } from '../../platform/graphql/arguments.js';
import { parsePage } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { CLOCK, type Clock } from '../../platform/config/tokens.js';
import { Author } from '../students/student.types.js';
import { AssignCase, RuleOnCase, type Ruling } from './commands/rule-on-case.js';
import { ModerationAccess, ModerationCases } from './moderation-cases.js';
import { ModerationUpdates, type LiveModeration } from './moderation-updates.js';
import {
  ModerationCase,
  ModerationChange,
  ModerationQueue,
  PenaltyEffect,
  PenaltyEnum,
  QueueStateEnum,
  SeenCaseInput,
  type DecisionEnum,
  type QueuedCase,
} from './moderation.types.js';
import { Confidential, Untraced } from '../../platform/traces/traces.js';
import { ApiError } from '../../platform/errors/api-error.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const cursorText = ({ rank, postId }: QueueCursor): string => `${rank}.${postId}`;

/** @throws ApiError unless `cursorText` produced the text */
function cursorOf(text: string): QueueCursor {
  const separator = text.indexOf('.');
  const [rank, postId] = [Number(text.slice(0, separator)), text.slice(separator + 1)];
  if (separator < 1 || !Number.isSafeInteger(rank) || !UUID.test(postId)) {
    throw new ApiError('VALIDATION_FAILED', 'after is not a valid cursor.', { field: 'after' });
  }
  return { rank, postId };
}

@Resolver(() => ModerationCase)
export class ModerationResolver {
  constructor(
    private readonly pool: Pool,
    private readonly access: ModerationAccess,
    private readonly cases: ModerationCases,
    private readonly updates: ModerationUpdates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @HasRole('MODERATOR')
  @Untraced('names no reporters; opening a case is logged')
  @Query(() => ModerationQueue, {
    description: 'Open cases by weight, heaviest first; decided cases, latest first.',
  })
  async getModerationQueue(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID, nullable: true }) space?: string | null,
    @Args('state', { type: () => QueueStateEnum, defaultValue: QueueStateEnum.OPEN }) state?: QueueState,
    @Args('isMine', { type: () => Boolean, defaultValue: false }) isMine?: boolean,
    @Args('after', { type: () => String, nullable: true }) after?: string | null,
    @Args('limit', { type: () => Int, nullable: true }) limit?: number | null,
  ): Promise<ModerationQueue> {
    const scope = this.access.scopeOf(viewer, parseOptionalId('space', space) ?? null);
    const [{ docs, next }, totalOpen] = await Promise.all([
      pageOfModerationQueue(this.pool, {
        ...scope,
        state: state ?? 'OPEN',
        isMine: isMine ?? false,
        now: this.clock().toISOString(),
        limit: parsePage({ limit }, MODERATION_PAGE_SIZE).limit,
        after: after ? cursorOf(after) : null,
      }),
      countOpenCases(this.pool, scope),
    ]);
    return { docs: docs.map(queuedCaseOf), next: next && cursorText(next), totalOpen };
  }

  @HasRole('MODERATOR')
  @Confidential<object, ModerationCase>('REPORTERS', ({ result }) => ({
    spaceIds: [result.spaceId],
    studentIds: result.author ? [result.author._id] : [],
    post: {
      postType: result.postType,
      postId: result._id,
      questionId: result.questionId,
      spaceId: result.spaceId,
      postAuthorId: result.author?._id ?? '',
    },
    rows: result.reports.length,
  }))
  @Query(() => ModerationCase)
  async getModerationCase(
    @CurrentViewer() viewer: Viewer,
    @Args('postId', { type: () => ID }, IdPipe) postId: string,
  ): Promise<ModerationCase> {
    await this.access.requireCase(viewer, postId);
    return this.cases.read(viewer, postId);
  }

  @ResolveField(() => [PenaltyEffect], {
    description:
      'Points that each penalty would move if the reports were upheld now. Empty unless reports are open.',
  })
  async penaltyEffects(@Parent() shown: ModerationCase): Promise<readonly PenaltyEffect[]> {
    const { author, openReports, postType, _id: postId, questionId, spaceId, round } = shown;
    if (!author || openReports === 0) return [];
    const now = this.clock().toISOString();
    const post = { postType, postId, questionId, spaceId, authorId: author._id };
    return findPenaltyEffects(this.pool, { ...post, round, now });
  }

  @HasRole('MODERATOR')
  @Untraced('members can see the moderators of their space, too')
  @Query(() => [Author], { description: 'Moderators to whom a case of the space can be assigned.' })
  async getSpaceModerators(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) space: string,
  ): Promise<readonly AuthorView[]> {
    if (!hasRole(viewer, 'MODERATOR', space)) throw new DomainError('FORBIDDEN');
    return listSpaceModerators(this.pool, space);
  }

  @HasRole('MODERATOR')
  @Untraced('signals only that a case changed')
  @Subscription(() => ModerationChange, {
    description: 'Signals on subscription, so that a reconnecting client refetches, and then on each change.',
  })
  moderationChanged(@CurrentViewer() viewer: Viewer): Promise<AsyncIterableIterator<LiveModeration>> {
    return this.updates.subscribe(viewer);
  }
}

const queuedCaseOf = ({ lastDecision, questionId: _, ...view }: QueuedCaseView): QueuedCase => ({
  ...view,
  // The projection writes no other values.
  lastDecision: lastDecision as keyof typeof DecisionEnum | null,
});

/** Decisions of a moderator; each returns the updated case. */
@Resolver(() => ModerationCase)
export class CaseDecisionsResolver {
  constructor(
    private readonly commands: CommandBus,
    private readonly access: ModerationAccess,
    private readonly cases: ModerationCases,
  ) {}

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => ModerationCase, { description: 'Removes the post and notifies the author of the reason.' })
  upholdReports(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('postId', { type: () => ID }, IdPipe) postId: string,
    @Args('reason', { type: () => String }) reason: string,
    @Args('seen', { type: () => SeenCaseInput }) seen: SeenCaseInput,
    @Args('penalty', { type: () => PenaltyEnum, defaultValue: PenaltyEnum.RULES }) penalty: Penalty,
  ): Promise<ModerationCase> {
    return this.rule(request, viewer, postId, { action: 'uphold', reason, seen, penalty });
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => ModerationCase, { description: 'Keeps the post and reverses any penalty.' })
  dismissReports(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('postId', { type: () => ID }, IdPipe) postId: string,
    @Args('reason', { type: () => String }) reason: string,
    @Args('seen', { type: () => SeenCaseInput }) seen: SeenCaseInput,
  ): Promise<ModerationCase> {
    return this.rule(request, viewer, postId, { action: 'dismiss', reason, seen });
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => ModerationCase, {
    description: 'Restores a removed post, reverses its penalty and notifies the author of the reason.',
  })
  reverseUpholding(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('postId', { type: () => ID }, IdPipe) postId: string,
    @Args('reason', { type: () => String }) reason: string,
    @Args('seen', { type: () => SeenCaseInput }) seen: SeenCaseInput,
  ): Promise<ModerationCase> {
    return this.rule(request, viewer, postId, { action: 'reverse', reason, seen });
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => ModerationCase, {
    description: 'Assigns the case to another moderator, or to no one if `toModeratorId` is omitted.',
  })
  async handOverReports(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('postId', { type: () => ID }, IdPipe) postId: string,
    @Args('seen', { type: () => SeenCaseInput }) { revision, openReports }: SeenCaseInput,
    @Args('toModeratorId', { type: () => ID, nullable: true }) toModeratorId?: string | null,
    @Args('note', { type: () => String, nullable: true }) note?: string | null,
  ): Promise<ModerationCase> {
    const summary = await this.access.requireCase(viewer, postId);
    const assignment = {
      seen: { revision, openReports },
      toModeratorId: parseOptionalId('toModeratorId', toModeratorId) ?? null,
      note: note ?? '',
    };
    await this.commands.execute(
      new AssignCase(commandContext(request, 'handOverReports'), summary, assignment),
    );
    return this.cases.read(viewer, postId);
  }

  private async rule(
    request: RequestContext,
    viewer: Viewer,
    postId: string,
    ruling: Ruling,
  ): Promise<ModerationCase> {
    const summary = await this.access.requireCase(viewer, postId);
    await this.commands.execute(
      new RuleOnCase(commandContext(request, `${ruling.action}Reports`), summary, ruling),
    );
    return this.cases.read(viewer, postId);
  }
}

import { Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Int, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { DomainError, MODERATION_PAGE_SIZE } from '@nimo/domain';
import {
  countOpenCases,
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
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe, optionalIdOf } from '../../platform/graphql/arguments.js';
import { pageOf } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { CLOCK, type Clock } from '../../platform/config/tokens.js';
import { Author } from '../students/student.types.js';
import { HandOverCase, RuleOnCase, type Ruling } from './commands/rule-on-case.js';
import { ModerationAccess, ModerationCases } from './moderation-cases.js';
import { ModerationUpdates, type LiveModeration } from './moderation-updates.js';
import {
  ModerationCase,
  ModerationChange,
  ModerationQueue,
  QueueStateEnum,
  SeenCaseInput,
  type DecisionEnum,
  type QueuedCase,
} from './moderation.types.js';
import { Confidential, LeavesNoTrace } from '../../platform/traces/traces.js';
import { ApiError } from '../../platform/errors/api-error.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const cursorText = ({ rank, postId }: QueueCursor): string => `${rank}.${postId}`;

/** @throws ApiError for what was not given by `cursorText` */
function cursorOf(text: string): QueueCursor {
  const separator = text.indexOf('.');
  const [rank, postId] = [Number(text.slice(0, separator)), text.slice(separator + 1)];
  if (separator < 1 || !Number.isSafeInteger(rank) || !UUID.test(postId)) {
    throw new ApiError('VALIDATION_FAILED', 'after is not a place in the queue.', { field: 'after' });
  }
  return { rank, postId };
}

/** Reported posts, for the moderators of their spaces. */
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
  @LeavesNoTrace('it names nobody who reported; opening a case does')
  @Query(() => ModerationQueue, { description: 'The heaviest case first; decided ones, the latest first.' })
  async getModerationQueue(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID, nullable: true }) space?: string | null,
    @Args('state', { type: () => QueueStateEnum, defaultValue: QueueStateEnum.OPEN }) state?: QueueState,
    @Args('isMine', { type: () => Boolean, defaultValue: false }) isMine?: boolean,
    @Args('after', { type: () => String, nullable: true }) after?: string | null,
    @Args('limit', { type: () => Int, nullable: true }) limit?: number | null,
  ): Promise<ModerationQueue> {
    const scope = this.access.scopeOf(viewer, optionalIdOf('space', space) ?? null);
    const [{ docs, next }, totalOpen] = await Promise.all([
      pageOfModerationQueue(this.pool, {
        ...scope,
        state: state ?? 'OPEN',
        isMine: isMine ?? false,
        now: this.clock().toISOString(),
        limit: pageOf({ limit }, MODERATION_PAGE_SIZE).limit,
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
    await this.access.caseOf(viewer, postId);
    return this.cases.read(viewer, postId);
  }

  @HasRole('MODERATOR')
  @LeavesNoTrace('who moderates a space is told to its members, too')
  @Query(() => [Author], { description: 'To whom a case of the space can be handed over.' })
  async getSpaceModerators(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) space: string,
  ): Promise<readonly AuthorView[]> {
    if (!hasRole(viewer, 'MODERATOR', space)) throw new DomainError('FORBIDDEN');
    return listSpaceModerators(this.pool, space);
  }

  @HasRole('MODERATOR')
  @LeavesNoTrace('it tells that a case changed, and nothing of it')
  @Subscription(() => ModerationChange, {
    description: 'Tells at once, so that whoever was disconnected reads again, and then of every change.',
  })
  moderationChanged(@CurrentViewer() viewer: Viewer): Promise<AsyncIterableIterator<LiveModeration>> {
    return this.updates.of(viewer);
  }
}

const queuedCaseOf = ({ lastDecision, questionId: _, ...view }: QueuedCaseView): QueuedCase => ({
  ...view,
  // The projection writes no other.
  lastDecision: lastDecision as keyof typeof DecisionEnum | null,
});

/** What a moderator does about a case; each answers with the case as it is then. */
@Resolver(() => ModerationCase)
export class CaseDecisionsResolver {
  constructor(
    private readonly commands: CommandBus,
    private readonly access: ModerationAccess,
    private readonly cases: ModerationCases,
  ) {}

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => ModerationCase, { description: 'Removes the post; the author is told the reason.' })
  upholdReports(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('postId', { type: () => ID }, IdPipe) postId: string,
    @Args('reason', { type: () => String }) reason: string,
    @Args('seen', { type: () => SeenCaseInput }) seen: SeenCaseInput,
  ): Promise<ModerationCase> {
    return this.rule(request, viewer, postId, { ruling: 'uphold', reason, seen });
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => ModerationCase, { description: 'The post stays; a penalty for it is reversed.' })
  dismissReports(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('postId', { type: () => ID }, IdPipe) postId: string,
    @Args('reason', { type: () => String }) reason: string,
    @Args('seen', { type: () => SeenCaseInput }) seen: SeenCaseInput,
  ): Promise<ModerationCase> {
    return this.rule(request, viewer, postId, { ruling: 'dismiss', reason, seen });
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => ModerationCase, {
    description: 'Puts a removed post back and reverses its penalty; the author is told the reason.',
  })
  reverseUpholding(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('postId', { type: () => ID }, IdPipe) postId: string,
    @Args('reason', { type: () => String }) reason: string,
    @Args('seen', { type: () => SeenCaseInput }) seen: SeenCaseInput,
  ): Promise<ModerationCase> {
    return this.rule(request, viewer, postId, { ruling: 'reverse', reason, seen });
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => ModerationCase, { description: 'Without a moderator the case is given back to all.' })
  async handOverReports(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('postId', { type: () => ID }, IdPipe) postId: string,
    @Args('seen', { type: () => SeenCaseInput }) { revision, openReports }: SeenCaseInput,
    @Args('toModeratorId', { type: () => ID, nullable: true }) toModeratorId?: string | null,
    @Args('note', { type: () => String, nullable: true }) note?: string | null,
  ): Promise<ModerationCase> {
    const standing = await this.access.caseOf(viewer, postId);
    const given = {
      seen: { revision, openReports },
      toModeratorId: optionalIdOf('toModeratorId', toModeratorId) ?? null,
      note: note ?? '',
    };
    await this.commands.execute(new HandOverCase(commandOf(request, 'handOverReports'), standing, given));
    return this.cases.read(viewer, postId);
  }

  private async rule(
    request: RequestContext,
    viewer: Viewer,
    postId: string,
    given: Ruling,
  ): Promise<ModerationCase> {
    const standing = await this.access.caseOf(viewer, postId);
    await this.commands.execute(
      new RuleOnCase(commandOf(request, `${given.ruling}Reports`), standing, given),
    );
    return this.cases.read(viewer, postId);
  }
}

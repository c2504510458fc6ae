import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { type EventMetadata, operatorOf } from '@nimo/domain';
import { findAuthorsByIds } from '@nimo/projections';
import type { ProjectionStatus, RecordedCommand } from '@nimo/projection-engine';
import { Pool } from 'pg';
import { HasRole } from '../../platform/auth/access.js';
import { commandContext } from '../../platform/commands/command-context.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import type { Author } from '../students/student.types.js';
import { MaintainProjection, type ProjectionRequest } from './commands/maintain-projection.js';
import { SkipEvent } from './commands/skip-event.js';
import { ProjectionAdmin, type StoppedEventView } from './projection-admin.js';
import { Projection, ProjectionHistoryEntry, ProjectionRebuild, StoppedEvent } from './projection.type.js';
import { Untraced } from '../../platform/traces/traces.js';

const HISTORY_LENGTH = 100;

@Resolver(() => ProjectionRebuild)
export class ProjectionRebuildResolver {
  @ResolveField(() => Boolean, {
    description: 'Brings a retired generation up to date to switch back to it.',
  })
  isRollback(@Parent() { isWayBack }: ProjectionRebuild): boolean {
    return isWayBack;
  }
}

@Resolver(() => Projection)
export class ProjectionsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly admin: ProjectionAdmin,
  ) {}

  @HasRole('MAINTAINER')
  @Untraced('system state, no personal data')
  @Query(() => [Projection], { description: 'All projections with their state.' })
  getProjections(): Promise<ProjectionStatus[]> {
    return this.admin.status();
  }

  @HasRole('MAINTAINER')
  @Untraced('system state, no personal data')
  @Query(() => Projection)
  getProjection(@Args('name', { type: () => ID }) name: string): Promise<ProjectionStatus> {
    return this.admin.statusOf(name);
  }

  @HasRole('MAINTAINER')
  @Untraced('no personal data: sealed values and people are left out')
  @Query(() => [StoppedEvent])
  getStoppedEvents(): Promise<readonly StoppedEventView[]> {
    return this.admin.stoppedEvents();
  }

  @HasRole('MAINTAINER')
  @ResolveField(() => [ProjectionHistoryEntry], { description: 'Newest first, at most 100.' })
  async history(@Parent() { name }: Projection): Promise<ProjectionHistoryEntry[]> {
    const commands = (await this.admin.commands(name)).slice(0, HISTORY_LENGTH);
    const ids = commands.flatMap(({ metadata: { actor } }) => (actor.kind === 'student' ? [actor.id] : []));
    const authors = await findAuthorsByIds(this.pool, ids);
    const byId = new Map(authors.flatMap((author) => (author ? [[author._id, author] as const] : [])));
    return commands.map((command) => historyEntry(command, byId));
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => [Projection], {
    description: 'Rebuilds each projection next to the live generation. A rebuild in progress continues.',
  })
  async rebuildProjections(
    @Context() request: RequestContext,
    @Args('names', { type: () => [ID] }) names: string[],
    @Args('hold', {
      type: () => Boolean,
      defaultValue: false,
      description: 'Wait for `switchProjection` once ready.',
    })
    hold: boolean,
  ): Promise<ProjectionStatus[]> {
    names.forEach((name) => this.admin.assertKnown(name));
    for (const name of new Set(names)) await this.run(request, name, { kind: 'rebuild', hold });
    return this.admin.status(names);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => Projection)
  cancelRebuild(
    @Context() request: RequestContext,
    @Args('name', { type: () => ID }) name: string,
  ): Promise<ProjectionStatus> {
    return this.runAndRead(request, name, { kind: 'cancel-rebuild' });
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => Projection, {
    description: 'Switches to a generation that was built and held, or back to the retired one.',
  })
  switchProjection(
    @Context() request: RequestContext,
    @Args('name', { type: () => ID }) name: string,
    @Args('generation', { type: () => Int }) generation: number,
  ): Promise<ProjectionStatus> {
    return this.runAndRead(request, name, { kind: 'switch', generation });
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => Projection, {
    description: 'Replays the log into a separate copy and compares it with the live generation.',
  })
  verifyProjection(
    @Context() request: RequestContext,
    @Args('name', { type: () => ID }) name: string,
  ): Promise<ProjectionStatus> {
    return this.runAndRead(request, name, { kind: 'verify' });
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => Projection)
  cancelVerification(
    @Context() request: RequestContext,
    @Args('name', { type: () => ID }) name: string,
  ): Promise<ProjectionStatus> {
    return this.runAndRead(request, name, { kind: 'cancel-verification' });
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => Projection, { description: 'Retries the event the projection stopped at.' })
  retryProjection(
    @Context() request: RequestContext,
    @Args('name', { type: () => ID }) name: string,
  ): Promise<ProjectionStatus> {
    return this.runAndRead(request, name, { kind: 'retry' });
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => Projection, { description: 'Permanently skips the event the projection stopped at.' })
  skipProjectionEvent(
    @Context() request: RequestContext,
    @Args('name', { type: () => ID }) name: string,
    @Args('eventId', { type: () => ID }) eventId: string,
    @Args('reason', { type: () => String }) reason: string,
  ): Promise<ProjectionStatus> {
    return this.runAndRead(request, name, { kind: 'skip', eventId, reason });
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => [Projection], {
    description:
      'Permanently skips an event in every projection that is stopped at it. Returns these projections.',
  })
  async skipEventInAllProjections(
    @Context() request: RequestContext,
    @Args('eventId', { type: () => ID }) eventId: string,
    @Args('reason', { type: () => String }) reason: string,
  ): Promise<ProjectionStatus[]> {
    const context = commandContext(request, 'skipEventInAllProjections');
    return this.admin.status(await this.commands.execute(new SkipEvent(context, eventId, reason)));
  }

  private async runAndRead(
    request: RequestContext,
    name: string,
    command: ProjectionRequest,
  ): Promise<ProjectionStatus> {
    await this.run(request, name, command);
    return this.admin.statusOf(name);
  }

  private async run(context: RequestContext, name: string, command: ProjectionRequest): Promise<void> {
    const execution = commandContext(context, `maintainProjection:${command.kind}:${name}`);
    await this.commands.execute(new MaintainProjection(execution, name, command));
  }
}

function historyEntry(
  command: RecordedCommand<EventMetadata>,
  authors: ReadonlyMap<string, Author>,
): ProjectionHistoryEntry {
  const { id, type, data, metadata } = command;
  const { actor } = metadata;
  return {
    _id: id,
    kind: type,
    at: metadata.occurredAt,
    actorKind: actor.kind,
    actor: actor.kind === 'student' ? (authors.get(actor.id) ?? null) : null,
    operator: operatorOf(actor),
    generation: 'generation' in data ? data.generation : null,
    hold: 'hold' in data ? data.hold : null,
    outcome: 'outcome' in data ? data.outcome : null,
    eventType: 'eventType' in data ? data.eventType : null,
    ordinal: 'ordinal' in data ? data.ordinal : null,
    reason: 'reason' in data ? data.reason : null,
  };
}

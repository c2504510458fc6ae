import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  aggregate,
  type Aggregate,
  type AnyAggregate,
  type Authority,
  DomainError,
  type DomainEvent,
  type EventMetadata,
  spaceDecider,
  spacesWrittenTo,
} from '@nimo/domain';
import {
  handleCommand,
  loadStreams,
  type CommandResult,
  type EventStore,
  type Snapshots,
} from '@nimo/event-store';
import { ProjectionWaiter } from '@nimo/projection-engine';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { Tracing } from '../operations/tracing.js';
import { CLOCK, EVENT_STORE, LOGGER, type Clock } from '../config/tokens.js';
import type { CommandContext, Idempotency } from './command-context.js';
import { type Deciders, decidersByStream, DomainStreams, foldOf } from './domain-streams.js';
import { awaitVisible } from './freshness.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { PostgresSnapshots } from '../database/postgres-snapshots.js';

export interface CommandPlan<State, Event extends DomainEvent> {
  /** The aggregate whose state is passed to `decide` and to whose stream the events are appended. */
  readonly on: Aggregate<State, Event>;
  /** Other aggregates the decision reads. */
  readonly reads?: readonly AnyAggregate[];
  /** Must be pure: runs again after a conflict. */
  readonly decide: (state: State, streams: DomainStreams) => readonly NoInfer<Event>[];
  /** Projections the caller reads next. */
  readonly visibleIn?: readonly string[];
}

/** False in the worker, whose database role has no access to snapshots: it reads whole streams. */
export const HAS_SNAPSHOTS = Symbol('nimo:has-snapshots');

const MEMBERSHIP_STREAM = /^membership-([0-9a-f-]{36})-/;

/** The spaces of memberships, loaded in the same round trip: nearly every command that writes into a space reads a membership. */
const spacesOf = (aggregates: readonly AnyAggregate[]): readonly AnyAggregate[] =>
  aggregates.flatMap(({ streamId }) => {
    const spaceId = MEMBERSHIP_STREAM.exec(streamId)?.[1];
    return spaceId === undefined ? [] : [aggregate(spaceDecider, spaceId)];
  });

/** Undefined for a step of a larger command. */
const wholeCommandKey = ({ idempotency, commandId }: CommandContext<Authority>): Idempotency | undefined =>
  idempotency?.commandId === commandId ? idempotency : undefined;

const REPEATED_NO_OP: CommandResult = { events: [], position: undefined, duplicate: true };

/** Loads, decides, appends and waits until the caller can see the result. Every command goes through it. */
@Injectable()
export class CommandRunner {
  private readonly snapshots: Omit<Snapshots, 'foldOf'> | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly waiter: ProjectionWaiter,
    private readonly tracing: Tracing,
    private readonly keys: IdempotencyKeys,
    pool: Pool,
    @Inject(LOGGER) logger: Logger,
    @Optional() @Inject(HAS_SNAPSHOTS) hasSnapshots = true,
  ) {
    this.snapshots = hasSnapshots
      ? {
          store: new PostgresSnapshots(pool),
          onError: (error) => logger.warn({ err: error }, 'stream snapshots cannot be read or written'),
        }
      : undefined;
  }

  now(): string {
    return this.clock().toISOString();
  }

  async run<State, Event extends DomainEvent>(
    context: CommandContext<Authority>,
    plan: CommandPlan<State, Event>,
  ): Promise<CommandResult> {
    const key = wholeCommandKey(context);
    if (key && (await this.keys.isRecordedNoOp(key))) return REPEATED_NO_OP;
    const result = await this.handle(context, plan);
    if (key && result.position === undefined) await this.keys.recordNoOp(key);
    const { outcome } = context;
    if (outcome) outcome.isChanged = outcome.isChanged === true || result.position !== undefined;
    return result;
  }

  private async handle<State, Event extends DomainEvent>(
    context: CommandContext<Authority>,
    { on, reads = [], decide, visibleIn }: CommandPlan<State, Event>,
  ): Promise<CommandResult> {
    const { freshness, commandId } = context;
    const deciders = decidersByStream([on, ...reads, ...spacesOf([on, ...reads])]);
    const snapshots = this.snapshotsFor(deciders);
    const metadata = this.metadataOf(context);
    const result = await this.tracing.inCommand(commandId, () =>
      handleCommand({
        store: this.store,
        streamIds: [...deciders.keys()],
        commandId,
        metadata,
        decide: async (loaded, bases) => {
          const streams = new DomainStreams(deciders, loaded, metadata.occurredAt, bases);
          const events = decide(streams.state(on), streams);
          await this.assertWritable(events, deciders, streams);
          return { streamId: on.streamId, events };
        },
        ...(snapshots && { snapshots }),
      }),
    );
    const { position } = result;
    if (visibleIn && freshness && position !== undefined)
      await this.tracing.inSpan('wait for projections', {}, () =>
        awaitVisible(this.waiter, { names: visibleIn, position }, freshness),
      );
    return result;
  }

  /** The one place that keeps archived spaces read-only and deleted ones away. @throws DomainError SPACE_ARCHIVED, SPACE_NOT_FOUND */
  private async assertWritable(
    events: readonly DomainEvent[],
    deciders: Deciders,
    streams: DomainStreams,
  ): Promise<void> {
    for (const { spaceId, mustExist, mustNotBeArchived } of spacesWrittenTo(events)) {
      const space = aggregate(spaceDecider, spaceId);
      const isLoaded = deciders.get(space.streamId) === space.decider;
      const state = isLoaded ? streams.state(space) : await this.state(space);
      if (mustExist && !state) throw new DomainError('SPACE_NOT_FOUND');
      if (mustNotBeArchived && state?.isArchived === true) throw new DomainError('SPACE_ARCHIVED');
    }
  }

  /** Loads aggregates needed before the target of the decision is known. */
  async load(aggregates: readonly AnyAggregate[]): Promise<DomainStreams> {
    const deciders = decidersByStream(aggregates);
    const { streams, bases } = await loadStreams(
      this.store,
      [...deciders.keys()],
      this.snapshotsFor(deciders),
    );
    return new DomainStreams(deciders, streams, this.now(), bases);
  }

  /** The current state of one aggregate. */
  async state<State, Event extends DomainEvent>(aggregate: Aggregate<State, Event>): Promise<State> {
    return (await this.load([aggregate])).state(aggregate);
  }

  /** Whether the command was handled before; its result is then visible. For checks whose input disappears once the command succeeds. */
  async isDuplicate<State, Event extends DomainEvent>(
    context: CommandContext<Authority>,
    on: Aggregate<State, Event>,
    visibleIn: readonly string[],
  ): Promise<boolean> {
    const key = wholeCommandKey(context);
    if (key && (await this.keys.isRecordedNoOp(key))) return true;
    return (await this.handle(context, { on, decide: () => [], visibleIn })).duplicate;
  }

  private snapshotsFor(deciders: Deciders): Snapshots | undefined {
    return this.snapshots && { ...this.snapshots, foldOf: foldOf(deciders) };
  }

  private metadataOf(context: CommandContext<Authority>): Omit<EventMetadata, 'schemaVersion'> {
    const recordedAt = this.now();
    return {
      occurredAt: context.occurredAt ?? recordedAt,
      recordedAt,
      actor: context.actor,
      commandId: context.commandId,
      correlationId: context.correlationId,
      causationId: context.causationId,
    };
  }
}

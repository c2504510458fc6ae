import { Inject, Injectable } from '@nestjs/common';
import type { Authority, DomainEvent, EventMetadata } from '@nimo/domain';
import {
  handleCommand,
  loadStreams,
  type CommandResult,
  type EventStore,
  type Snapshots,
} from '@nimo/event-store';
import { ProjectionWaiter } from '@nimo/projections';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { Tracing } from '../operations/tracing.js';
import { CLOCK, EVENT_STORE, LOGGER, type Clock } from '../runtime/tokens.js';
import type { CommandContext, Idempotency } from './command-context.js';
import { DomainStreams } from './domain-streams.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { PostgresSnapshots } from './postgres-snapshots.js';
import { foldOf } from './stream-folds.js';

export interface CommandPlan {
  /** Every stream that the decision looks at, and the one that it appends to. */
  readonly streams: readonly string[];
  /** Reads all events of each stream, for a decision that asks for more than the state that snapshots keep. */
  readonly whole?: boolean;
  /** Pure, as it runs again after a conflict. */
  readonly decide: (streams: DomainStreams) => {
    readonly streamId: string;
    readonly events: readonly DomainEvent[];
  };
  /** Names of the projections that the caller looks at next. */
  readonly visibleIn?: readonly string[];
}

/** Undefined for a step. */
const keyOfWhole = ({ idempotency, commandId }: CommandContext<Authority>): Idempotency | undefined =>
  idempotency?.commandId === commandId ? idempotency : undefined;

const NOTHING_AGAIN: CommandResult = { events: [], position: undefined, duplicate: true };

/** Loads, decides, appends, and waits until the caller can see it. The one way for a command into the log. */
@Injectable()
export class CommandRunner {
  private readonly snapshots: Snapshots;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly waiter: ProjectionWaiter,
    private readonly tracing: Tracing,
    private readonly keys: IdempotencyKeys,
    pool: Pool,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.snapshots = {
      store: new PostgresSnapshots(pool),
      foldOf,
      onError: (error) => logger.warn({ err: error }, 'snapshots of streams cannot be read or written'),
    };
  }

  now(): string {
    return this.clock().toISOString();
  }

  async run(context: CommandContext<Authority>, plan: CommandPlan): Promise<CommandResult> {
    const key = keyOfWhole(context);
    if (key && (await this.keys.isDoneWithNothing(key))) return NOTHING_AGAIN;
    const result = await this.handle(context, plan);
    if (key && result.position === undefined) await this.keys.doneWithNothing(key);
    return result;
  }

  private async handle(
    context: CommandContext<Authority>,
    { streams, decide, visibleIn, whole }: CommandPlan,
  ): Promise<CommandResult> {
    const { freshness, commandId } = context;
    const result = await this.tracing.inSpan('command', { 'nimo.command': commandId }, () =>
      handleCommand({
        store: this.store,
        streamIds: streams,
        commandId,
        metadata: this.metadataOf(context),
        decide: (loaded, bases) => decide(new DomainStreams(loaded, bases)),
        ...(whole === true ? {} : { snapshots: this.snapshots }),
      }),
    );
    const { position } = result;
    if (visibleIn && freshness && position !== undefined) {
      const { stale } = await this.tracing.inSpan('wait for projections', {}, () =>
        this.waiter.waitFor(visibleIn, position),
      );
      if (stale) freshness.stale = true;
    }
    return result;
  }

  /** What has to be looked at before it is known what to decide upon. */
  async look(streamIds: readonly string[]): Promise<DomainStreams> {
    const { streams, bases } = await loadStreams(this.store, streamIds, this.snapshots);
    return new DomainStreams(streams, bases);
  }

  /** Whether it was handled before, as a retry finds it; then the caller can see it. For what has to be looked at before deciding, and goes with it. */
  async isRepeated(
    context: CommandContext<Authority>,
    streamId: string,
    visibleIn: readonly string[],
  ): Promise<boolean> {
    const key = keyOfWhole(context);
    if (key && (await this.keys.isDoneWithNothing(key))) return true;
    const decide = () => ({ streamId, events: [] });
    return (await this.handle(context, { streams: [streamId], decide, visibleIn })).duplicate;
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

import { Inject, Injectable } from '@nestjs/common';
import { EventStoreUnavailableError } from '@nimo/event-store';
import type { Reactor } from '@nimo/projections';
import { type AppliedBatch, PoisonEventError } from '@nimo/projection-engine';
import { correlation, type Logger } from '../platform/logging/logger.js';
import { Metrics } from '../platform/operations/metrics.js';
import { Tracing } from '../platform/operations/tracing.js';
import { LOGGER } from '../platform/config/tokens.js';

const TELLS_EVERY_MS = 60_000;

/** Tells how the work behind the log goes, under the correlation ids of the requests that it comes from. */
@Injectable()
export class WorkerTelemetry {
  /** When it was last told that they wait for the log, and how often they have failed since. */
  private readonly waiting = new Map<string, { readonly toldAt: number; since: number }>();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {}

  /** What was applied; a line an event, as each has its own correlation id. */
  applied({ projection, events, startedAt }: AppliedBatch): void {
    const causes = events.flatMap(({ metadata: { correlationId, commandId } }) =>
      typeof correlationId === 'string'
        ? [{ correlationId, commandId: typeof commandId === 'string' ? commandId : undefined }]
        : [],
    );
    this.tracing.record(
      `fold ${projection}`,
      { 'nimo.projection': projection, 'nimo.events': events.length },
      { startedAt, causes },
    );
    if (!this.logger.isLevelEnabled('debug')) return;
    for (const { id, type, metadata } of events) {
      const { correlationId } = metadata;
      this.logger.debug({ correlationId, projection, event: id, type }, 'a projection has applied an event');
    }
  }

  /** @param name of the projection or reactor */
  failed(err: unknown, name = 'all'): void {
    this.metrics.projectionFaults.inc({ name });
    if (err instanceof EventStoreUnavailableError) return this.waits(err, name);
    const { id, type, metadata } = err instanceof PoisonEventError ? err.event : {};
    const correlationId = metadata?.['correlationId'];
    const event = id === undefined ? {} : { correlationId, event: id, type };
    this.logger.error({ err, projection: name, ...event }, `${name} failed`);
  }

  /** A log that is away is no fault of whoever follows it, and is tried again for as long as it takes: one line a minute. */
  private waits({ message }: EventStoreUnavailableError, name: string): void {
    const now = performance.now();
    const known = this.waiting.get(name);
    if (known && now - known.toldAt < TELLS_EVERY_MS) {
      known.since += 1;
      return;
    }
    this.waiting.set(name, { toldAt: now, since: 0 });
    const untold = known?.since ?? 0;
    this.logger.warn({ projection: name, untold }, `${name} waits for the event log: ${message}`);
  }

  /** The same reactor, each event under its correlation id. */
  watched(reactor: Reactor): Reactor {
    const { name, startsAt, types } = reactor;
    return {
      name,
      types,
      ...(startsAt !== undefined && { startsAt }),
      handle: (event, jobId, signal) =>
        correlation.run({ correlationId: event.metadata.correlationId }, async () => {
          try {
            const attributes = { 'nimo.event': event.type };
            await this.tracing.inSpan(`react ${name}`, attributes, () =>
              reactor.handle(event, jobId, signal),
            );
            this.logger.debug(
              { reactor: name, event: event.id, type: event.type },
              'a reactor has handled an event',
            );
          } catch (err) {
            this.logger.error({ err, reactor: name, event: event.id, type: event.type }, 'a reactor failed');
            throw err;
          }
        }),
    };
  }
}

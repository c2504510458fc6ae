import { Inject, Injectable } from '@nestjs/common';
import { EventStoreUnavailableError } from '@nimo/event-store';
import type { Reactor } from '@nimo/projections';
import { type AppliedBatch, PoisonEventError } from '@nimo/projection-engine';
import { correlation, type Logger } from '../platform/logging/logger.js';
import { Metrics } from '../platform/operations/metrics.js';
import { Tracing } from '../platform/operations/tracing.js';
import { LOGGER } from '../platform/config/tokens.js';

const WARNING_INTERVAL_MS = 60_000;

/** Logs and traces projections and reactors under the correlation IDs of the requests that caused their events. */
@Injectable()
export class WorkerTelemetry {
  /** By projection or reactor: the last warning that the log is unavailable, and the failures suppressed since. */
  private readonly outages = new Map<string, { readonly warnedAt: number; suppressed: number }>();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {}

  /** Records a span, and at debug level one line per event, as each has its own correlation ID. */
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
      this.logger.debug({ correlationId, projection, event: id, type }, 'projection applied an event');
    }
  }

  /** @param name the projection or reactor; `all` for a failure outside of both */
  failed(err: unknown, name = 'all'): void {
    this.metrics.projectionFailures.inc({ name });
    if (err instanceof EventStoreUnavailableError) return this.logOutage(err, name);
    const { id, type, metadata } = err instanceof PoisonEventError ? err.event : {};
    const correlationId = metadata?.['correlationId'];
    const event = id === undefined ? {} : { correlationId, event: id, type };
    this.logger.error({ err, projection: name, ...event }, `${name} failed`);
  }

  /** Retried for as long as the outage lasts, so it warns once a minute instead of logging every error. */
  private logOutage({ message }: EventStoreUnavailableError, name: string): void {
    const now = performance.now();
    const outage = this.outages.get(name);
    if (outage && now - outage.warnedAt < WARNING_INTERVAL_MS) {
      outage.suppressed += 1;
      return;
    }
    this.outages.set(name, { warnedAt: now, suppressed: 0 });
    const suppressed = outage?.suppressed ?? 0;
    this.logger.warn({ projection: name, suppressed }, `${name} is waiting for the event log: ${message}`);
  }

  /** Wraps a reactor so that each event runs in a span, under its correlation ID. */
  instrument(reactor: Reactor): Reactor {
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
              'reactor handled an event',
            );
          } catch (err) {
            this.logger.error({ err, reactor: name, event: event.id, type: event.type }, 'reactor failed');
            throw err;
          }
        }),
    };
  }
}

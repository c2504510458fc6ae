import { Inject, Injectable } from '@nestjs/common';
import type { Reactor } from '@nimo/projections';
import { type AppliedBatch, BadEventError } from '@nimo/projection-engine';
import { correlation } from './platform/logging/correlation.js';
import type { Logger } from './platform/logging/logger.js';
import { Metrics } from './platform/operations/metrics.js';
import { Tracing } from './platform/operations/tracing.js';
import { LOGGER } from './platform/runtime/tokens.js';

/** Tells how the work behind the log goes, under the correlation ids of the requests that it comes from. */
@Injectable()
export class WorkWatch {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {}

  /** What was applied; a line an event, as each has its own correlation id. */
  applied({ projection, events, startedAt }: AppliedBatch): void {
    const ids = events.map(({ metadata }) => metadata['correlationId']);
    const correlationIds = ids.filter((id): id is string => typeof id === 'string');
    this.tracing.record(
      `fold ${projection}`,
      { 'nimo.projection': projection, 'nimo.events': events.length },
      { startedAt, correlationIds },
    );
    if (!this.logger.isLevelEnabled('debug')) return;
    for (const { id, type, metadata } of events) {
      const { correlationId } = metadata;
      this.logger.debug({ correlationId, projection, event: id, type }, 'a projection has applied an event');
    }
  }

  /** @param name of the projection or reactor */
  disturbed(err: unknown, name = 'all'): void {
    this.metrics.projectionFaults.inc({ name });
    const { id, type, metadata } = err instanceof BadEventError ? err.event : {};
    const correlationId = metadata?.['correlationId'];
    const event = id === undefined ? {} : { correlationId, event: id, type };
    this.logger.error({ err, projection: name, ...event }, `${name} was disturbed`);
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

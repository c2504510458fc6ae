import type { Pool } from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AppendOutcome, EventStore } from '@nimo/event-store';
import { withTimeout } from './health.js';
import type { Tracing } from './tracing.js';

/** Prometheus' default scrape timeout is ten seconds for all gauges. */
const COLLECT_TIMEOUT_MS = 3_000;
/** Seconds; the product's latency targets lie between 1 ms and 1 s. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/**
 * Prometheus metrics of a process. Label values never come from clients, which could otherwise exhaust memory.
 */
export class Metrics {
  readonly registry = new Registry();

  readonly appendSeconds = this.histogram('nimo_append_seconds', 'Duration of appends.', ['outcome']);
  readonly eventsAppended = this.counter(
    'nimo_events_appended_total',
    'Events appended by this process.',
    [],
  );
  readonly graphqlSeconds = this.histogram(
    'nimo_graphql_seconds',
    'Duration of GraphQL requests by operation.',
    ['operation'],
  );
  readonly errors = this.counter('nimo_errors_total', 'Errors returned to clients, by code.', ['code']);
  readonly rejections = this.counter(
    'nimo_rate_limit_rejections_total',
    'Requests rejected by a rate limit.',
    ['limit'],
  );
  readonly queryRejections = this.counter(
    'nimo_query_rejections_total',
    'GraphQL requests rejected for exceeding a query limit, by rule.',
    ['rule'],
  );
  readonly admissionRejections = this.counter(
    'nimo_admission_rejections_total',
    'Expensive work rejected because its queue was full, by kind.',
    ['kind'],
  );
  readonly uncaughtErrors = this.counter(
    'nimo_uncaught_errors_total',
    'Uncaught exceptions and unhandled rejections.',
    [],
  );
  readonly jobSeconds = this.histogram('nimo_job_seconds', 'Duration of jobs run by this process.', [
    'queue',
    'outcome',
  ]);
  readonly projectionFailures = this.counter(
    'nimo_projection_failures_total',
    'Failures in projections and reactors, whether retried or fatal.',
    ['name'],
  );

  readonly unreadableValues = this.counter(
    'nimo_personal_data_unreadable_total',
    'Personal data of students who were not erased that could not be decrypted and was read as empty.',
    ['reason'],
  );

  /** @param process api, worker or cli */
  constructor(readonly process: string) {
    this.registry.setDefaultLabels({ process });
  }

  /** Collects process and event loop metrics. Has a running cost, so only where they can be scraped. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Reports the connections of a pool. */
  watchPool(pool: Pool): void {
    this.watch('nimo_pool_connections', 'Database connections.', ['state'], (gauge) => {
      gauge.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      gauge.set({ state: 'idle' }, pool.idleCount);
      gauge.set({ state: 'waiting' }, pool.waitingCount);
    });
  }

  /** Registers a gauge collected on each scrape. It has no value when collecting fails. */
  watch<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    look: (gauge: Gauge<Label>) => void | Promise<void>,
  ): void {
    const forget = (gauge: Gauge<Label>): void => {
      gauge.reset();
      // After a reset a gauge without labels is 0, which may be a valid value.
      if (labelNames.length === 0) gauge.remove();
    };
    new Gauge<Label>({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      async collect() {
        forget(this);
        try {
          await withTimeout(Promise.resolve(look(this)), COLLECT_TIMEOUT_MS);
        } catch {
          // Readiness reports the failing component; the other metrics must still be scraped.
          forget(this);
        }
      },
    });
  }

  private histogram<Label extends string>(name: string, help: string, labelNames: Label[]): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: BUCKETS, registers: [this.registry] });
  }

  private counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}

/** An event store that times and counts appends. */
export function measuredStore(store: EventStore, metrics: Metrics, tracing: Tracing): EventStore {
  return {
    append: (appends) =>
      tracing.inSpan(
        'append',
        { 'nimo.streams': appends.map(({ streamId }) => streamId).join(' ') },
        async () => {
          const end = metrics.appendSeconds.startTimer();
          try {
            const outcomes = await store.append(appends);
            end({ outcome: outcomes.some(({ kind }) => kind === 'conflict') ? 'conflict' : 'appended' });
            metrics.eventsAppended.inc(
              outcomes.reduce(
                (sum, outcome, index) => sum + appendedCount(outcome, appends[index]?.events.length ?? 0),
                0,
              ),
            );
            return outcomes;
          } catch (error) {
            end({ outcome: 'failed' });
            throw error;
          }
        },
      ),
    readStream: (streamId, options) => store.readStream(streamId, options),
    readStreams: (streamIds, from) => store.readStreams(streamIds, from),
    ...(store.readFromSnapshots && { readFromSnapshots: store.readFromSnapshots }),
    readAll: (options) => store.readAll(options),
    subscribe: (options) => store.subscribe(options),
    head: () => store.head(),
    countAfter: (after, atMost) => store.countAfter(after, atMost),
    close: () => store.close(),
  };
}

const appendedCount = (outcome: AppendOutcome, events: number): number =>
  outcome.kind === 'appended' && !outcome.duplicate ? events : 0;

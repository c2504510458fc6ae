import type { Pool } from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AppendOutcome, EventStore } from '@nimo/event-store';
import { withTimeout } from './health.js';
import type { Tracing } from './tracing.js';

/** Prometheus waits ten seconds for all of them. */
const LOOK_WITHIN_MS = 3_000;
/** Seconds; the promises of the product lie between 1 ms and 1 s. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/**
 * What a process counts and measures, for Prometheus. Every value of a label comes from a list of ours: values that a client
 * chooses would let it fill our memory.
 */
export class Metrics {
  readonly registry = new Registry();

  readonly appendSeconds = this.histogram('nimo_append_seconds', 'From an append to its outcome.', [
    'outcome',
  ]);
  readonly eventsAppended = this.counter('nimo_events_appended_total', 'Events that this process wrote.', []);
  readonly graphqlSeconds = this.histogram(
    'nimo_graphql_seconds',
    'GraphQL requests by the field they ask for.',
    ['operation'],
  );
  readonly errors = this.counter('nimo_errors_total', 'Errors that were answered, by their code.', ['code']);
  readonly refusals = this.counter('nimo_rate_limit_refusals_total', 'What a rate limit refused.', ['limit']);
  readonly queryRefusals = this.counter(
    'nimo_query_refusals_total',
    'GraphQL requests that asked for too much, by the rule that refused them.',
    ['rule'],
  );
  readonly workRefusals = this.counter(
    'nimo_work_refusals_total',
    'Expensive work that was refused for lack of room, by its kind.',
    ['kind'],
  );
  readonly uncaughtFaults = this.counter(
    'nimo_uncaught_faults_total',
    'Faults of ours that nobody caught; the process took them as its last resort.',
    [],
  );
  readonly jobSeconds = this.histogram('nimo_job_seconds', 'Jobs that this process performed.', [
    'queue',
    'outcome',
  ]);
  readonly projectionFaults = this.counter(
    'nimo_projection_failures_total',
    'What went wrong in a projection or reactor and was tried again, or stopped it.',
    ['name'],
  );

  readonly unreadableValues = this.counter(
    'nimo_personal_data_unreadable_total',
    'Personal data of people who were not erased that could not be opened and was read as nothing.',
    ['reason'],
  );

  /** @param process api, worker or cli */
  constructor(readonly process: string) {
    this.registry.setDefaultLabels({ process });
  }

  /** The process and its event loop; only where somebody can look, as it watches from then on. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Connections to the database, read when somebody looks. */
  watchPool(pool: Pool): void {
    this.watch('nimo_pool_connections', 'Connections to the database.', ['state'], (gauge) => {
      gauge.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      gauge.set({ state: 'idle' }, pool.idleCount);
      gauge.set({ state: 'waited_for' }, pool.waitingCount);
    });
  }

  /** A gauge whose values are looked up when somebody scrapes; one that cannot be looked up now has none. */
  watch<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    look: (gauge: Gauge<Label>) => void | Promise<void>,
  ): void {
    const forget = (gauge: Gauge<Label>): void => {
      gauge.reset();
      // One without labels would be 0 now, which is a value: a disk without room.
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
          await withTimeout(Promise.resolve(look(this)), LOOK_WITHIN_MS);
        } catch {
          // Readiness tells of the part that is away; the others must still be seen.
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

/** The log, with every append timed and counted. */
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
                (sum, outcome, index) => sum + written(outcome, appends[index]?.events.length ?? 0),
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

const written = (outcome: AppendOutcome, events: number): number =>
  outcome.kind === 'appended' && !outcome.duplicate ? events : 0;

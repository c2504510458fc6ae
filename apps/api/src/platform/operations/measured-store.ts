import type { AppendOutcome, EventStore } from '@nimo/event-store';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';

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

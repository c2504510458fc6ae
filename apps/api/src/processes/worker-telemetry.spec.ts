import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventStoreUnavailableError, type RecordedEvent } from '@nimo/event-store';
import type { ReactorEvent } from '@nimo/projections';
import { PoisonEventError } from '@nimo/projection-engine';
import { createLogger, type Logger } from '../platform/logging/logger.js';
import { Metrics } from '../platform/operations/metrics.js';
import { Tracing } from '../platform/operations/tracing.js';
import { WorkerTelemetry } from './worker-telemetry.js';

let folder: string;
let metrics: Metrics;
const telemetryAt = (level: 'debug' | 'info'): WorkerTelemetry => {
  const logger: Logger = createLogger({ name: 'worker', level, dataDir: folder, console: false });
  metrics = new Metrics('worker');
  return new WorkerTelemetry(
    logger,
    metrics,
    new Tracing({ otelEndpoint: undefined, otelHeaders: undefined, otelRatio: 1 }, logger, 'worker'),
  );
};
const lines = async (): Promise<Record<string, unknown>[]> =>
  (await readFile(join(folder, 'logs', 'worker.log'), 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const newEvent = (correlationId = randomUUID()): RecordedEvent => ({
  id: randomUUID(),
  type: 'VoteCast',
  data: {},
  metadata: { correlationId },
  streamId: 'vote-1',
  revision: 0,
  position: '1',
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nimo-telemetry-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('WorkerTelemetry', () => {
  it('warns once a minute while the event log is unavailable, with the cause', async () => {
    const telemetry = telemetryAt('info');
    for (let times = 0; times < 5; times += 1)
      telemetry.failed(new EventStoreUnavailableError('connect ECONNREFUSED'), 'questions');
    const logged = await lines();
    expect(logged).toEqual([
      expect.objectContaining({
        level: 40,
        msg: 'questions is waiting for the event log: connect ECONNREFUSED',
      }),
    ]);
    expect(logged[0]).not.toHaveProperty('err');
    expect(await metrics.registry.metrics()).toContain(
      'nimo_projection_failures_total{name="questions",process="worker"} 5',
    );
  });

  it('logs the correlation ID of an event that a projection failed on', async () => {
    const event = newEvent();
    telemetryAt('info').failed(new PoisonEventError(event, new Error('no such post')), 'questions');
    const { correlationId } = event.metadata;
    expect(await lines()).toEqual([
      expect.objectContaining({
        correlationId,
        event: event.id,
        type: 'VoteCast',
        projection: 'questions',
        level: 50,
      }),
    ]);
    expect(await metrics.registry.metrics()).toContain(
      'nimo_projection_failures_total{name="questions",process="worker"} 1',
    );
  });

  it('logs no event when the failure is not caused by one', async () => {
    telemetryAt('info').failed(new Error('the database is unavailable'));
    const [line] = await lines();
    expect(line).not.toHaveProperty('event');
    expect(line).not.toHaveProperty('correlationId');
  });

  it('logs each applied event at debug level only', async () => {
    const events = [newEvent(), newEvent()];
    const batch = { projection: 'leaderboard', events, startedAt: Date.now() };
    telemetryAt('info').applied(batch);
    expect(await lines()).toEqual([]);
    telemetryAt('debug').applied(batch);
    expect((await lines()).map(({ correlationId, event }) => [correlationId, event])).toEqual(
      events.map(({ id, metadata }) => [metadata['correlationId'], id]),
    );
  });

  it('logs the correlation ID of an event that a reactor failed on', async () => {
    const event = newEvent();
    const failing = { name: 'claims', types: 'all' as const, handle: () => Promise.reject(new Error('no')) };
    const handled = telemetryAt('info')
      .instrument(failing)
      .handle(event as unknown as ReactorEvent, event.id, new AbortController().signal);
    await expect(handled).rejects.toThrow('no');
    expect(await lines()).toEqual([
      expect.objectContaining({
        correlationId: event.metadata['correlationId'],
        reactor: 'claims',
        event: event.id,
      }),
    ]);
  });
});

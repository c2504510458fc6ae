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
const watchAt = (level: 'debug' | 'info'): WorkerTelemetry => {
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
  folder = await mkdtemp(join(tmpdir(), 'nimo-watch-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the log of a worker', () => {
  it('says once in a minute that a projection waits for the event log, and why', async () => {
    const watch = watchAt('info');
    for (let times = 0; times < 5; times += 1)
      watch.failed(new EventStoreUnavailableError('connect ECONNREFUSED'), 'questions');
    const told = await lines();
    expect(told).toEqual([
      expect.objectContaining({
        level: 40,
        msg: 'questions waits for the event log: connect ECONNREFUSED',
      }),
    ]);
    expect(told[0]).not.toHaveProperty('err');
    expect(await metrics.registry.metrics()).toContain(
      'nimo_projection_failures_total{name="questions",process="worker"} 5',
    );
  });

  it('names the request behind an event that a projection could not digest', async () => {
    const event = newEvent();
    watchAt('info').failed(new PoisonEventError(event, new Error('no such post')), 'questions');
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

  it('names no event where none is to blame', async () => {
    watchAt('info').failed(new Error('the database is away'));
    const [line] = await lines();
    expect(line).not.toHaveProperty('event');
    expect(line).not.toHaveProperty('correlationId');
  });

  it('has a line for each event that was applied, at debug only', async () => {
    const events = [newEvent(), newEvent()];
    const batch = { projection: 'leaderboard', events, startedAt: Date.now() };
    watchAt('info').applied(batch);
    expect(await lines()).toEqual([]);
    watchAt('debug').applied(batch);
    expect((await lines()).map(({ correlationId, event }) => [correlationId, event])).toEqual(
      events.map(({ id, metadata }) => [metadata['correlationId'], id]),
    );
  });

  it('names the request behind an event that a reactor failed on', async () => {
    const event = newEvent();
    const failing = { name: 'claims', types: 'all' as const, handle: () => Promise.reject(new Error('no')) };
    const handled = watchAt('info')
      .watched(failing)
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

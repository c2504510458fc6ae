import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger, type Logger } from '../logging/logger.js';
import { PRODUCT_VERSION } from '../config/version.js';
import { canServe, HealthReport, type HealthCheck } from './health.js';

const logger = createLogger({ name: 'test', level: 'silent', console: false });
const component = (name: string, isEssential: boolean, check: HealthCheck['check']): HealthCheck => ({
  name,
  isEssential,
  check,
});
const up = () => Promise.resolve('up' as const);
const down = () => Promise.reject(new Error('connect ECONNREFUSED postgresql://nimo:secret@10.0.0.7'));

describe('readiness', () => {
  afterEach(() => void jest.useRealTimers());

  it('is ready when every component is up', async () => {
    const health = await new HealthReport([component('database', true, up)], logger).ready();
    expect(health).toEqual({
      status: 'ready',
      version: PRODUCT_VERSION,
      components: { database: { status: 'up', ms: expect.any(Number) } },
    });
    expect(canServe(health)).toBe(true);
  });

  it('is unavailable when an essential component is down', async () => {
    const health = await new HealthReport(
      [component('database', true, down), component('search', false, up)],
      logger,
    ).ready();
    expect(health.status).toBe('unavailable');
    expect(canServe(health)).toBe(false);
  });

  it('is degraded when an optional component is down', async () => {
    const degraded = () => Promise.resolve('degraded' as const);
    for (const check of [down, degraded]) {
      const health = await new HealthReport(
        [component('database', true, up), component('search', false, check)],
        logger,
      ).diagnosis();
      expect(health.status).toBe('degraded');
      expect(canServe(health)).toBe(true);
    }
  });

  it('waits for a component no longer than the timeout', async () => {
    const never = () => new Promise<never>(() => undefined);
    const health = await new HealthReport([component('log', true, never)], logger, 30).ready();
    expect(health.components['log']?.status).toBe('down');
  });

  it('does not wait for optional components', async () => {
    const never = () => new Promise<never>(() => undefined);
    const report = new HealthReport(
      [component('database', true, up), component('jobs', false, never)],
      logger,
      60_000,
    );
    expect((await report.ready()).status).toBe('ready');
  });

  it('reports the last known state while an essential component hangs', async () => {
    jest.useFakeTimers();
    let check = up;
    const report = new HealthReport([component('database', true, () => check())], logger, 60_000);
    await report.ready();
    check = () => new Promise<never>(() => undefined);
    for (let asked = 0; asked < 3; asked++) {
      jest.advanceTimersByTime(1_000);
      expect((await report.ready()).status).toBe('ready');
    }
  });

  it('reveals neither addresses nor error messages', async () => {
    const health = await new HealthReport([component('database', true, down)], logger).ready();
    expect(JSON.stringify(health)).not.toMatch(/secret|10\.0|ECONN/);
  });

  it('checks the components once for concurrent callers', async () => {
    let asked = 0;
    const report = new HealthReport(
      [
        component('database', true, () => {
          asked += 1;
          return up();
        }),
      ],
      logger,
    );
    await Promise.all(Array.from({ length: 20 }, () => report.ready()));
    expect(asked).toBe(1);
  });

  it('is stopping as soon as the process shuts down', async () => {
    const report = new HealthReport([component('database', true, up)], logger);
    await report.ready();
    report.markStopping();
    expect(await report.ready()).toEqual({ status: 'stopping', version: PRODUCT_VERSION, components: {} });
  });
});

describe('log messages', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());
  const degraded = () => Promise.resolve('degraded' as const);

  it.each([
    ['not for a component that comes up during the start', [degraded, degraded, up], 20_000, []],
    [
      'for one that is not up after the start-up period',
      [degraded, degraded, degraded],
      40_000,
      ['is degraded'],
    ],
    ['for one that degrades', [up, degraded], 10_000, ['is degraded']],
    ['for one that is down', [down], 10_000, ['is down']],
  ])('are written %s', async (_, checks, everyMs, warnings) => {
    const logged: string[] = [];
    const listening = { info: () => undefined, warn: (_part: object, text: string) => logged.push(text) };
    const rest = [...checks];
    const check: HealthCheck['check'] = () => (rest.shift() ?? up)();
    const report = new HealthReport([component('projections', false, check)], listening as unknown as Logger);
    for (let look = 0; look < checks.length; look += 1) {
      await report.diagnosis();
      jest.advanceTimersByTime(everyMs);
    }
    expect(logged).toEqual(warnings.map((warning) => `projections ${warning}`));
  });
});

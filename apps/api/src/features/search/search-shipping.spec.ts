import { expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from '../../platform/logging/logger.js';
import type { Search } from './search.js';
import { SearchWarmUp } from './search-shipping.js';

function createWarmUp(round: () => Promise<void>) {
  let rounds = 0;
  const warnings: unknown[] = [];
  const search: Pick<Search, 'warmUp'> = {
    warmUp: () => {
      rounds += 1;
      return round();
    },
  };
  const logger = { warn: (line: unknown) => warnings.push(line) };
  const warmUp = new SearchWarmUp(search as Search, logger as unknown as Logger);
  return { warmUp, warnings, rounds: () => rounds };
}

it('starts and stops with the API', async () => {
  let end: () => void = () => undefined;
  const { warmUp, rounds } = createWarmUp(() => new Promise((resolve) => (end = resolve)));
  expect(rounds()).toBe(0);
  warmUp.onApplicationBootstrap();
  expect(rounds()).toBe(1);
  warmUp.beforeApplicationShutdown();
  end();
  await setImmediate();
  expect(rounds()).toBe(1);
});

it('warns of a failed warm-up, unless the API is shutting down', async () => {
  const failing = () => Promise.reject(new Error('the database is unavailable'));
  const running = createWarmUp(failing);
  running.warmUp.onApplicationBootstrap();
  await setImmediate();
  expect(running.warnings).toHaveLength(1);
  running.warmUp.beforeApplicationShutdown();

  const ending = createWarmUp(failing);
  ending.warmUp.onApplicationBootstrap();
  ending.warmUp.beforeApplicationShutdown();
  await setImmediate();
  expect(ending.warnings).toEqual([]);
});

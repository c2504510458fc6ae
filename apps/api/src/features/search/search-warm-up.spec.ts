import { expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from '../../platform/logging/logger.js';
import type { Search } from './search.js';
import { SearchWarmUp } from './search-warm-up.js';

function open(round: () => Promise<void>) {
  const signals: AbortSignal[] = [];
  const warnings: unknown[] = [];
  const search: Pick<Search, 'warmUp'> = {
    warmUp: (signal) => {
      signals.push(signal);
      return round();
    },
  };
  const logger = { warn: (line: unknown) => warnings.push(line) };
  const warmUp = new SearchWarmUp(search as Search, logger as unknown as Logger);
  return { warmUp, signals, warnings };
}

it('begins once the api has started and ends with it', () => {
  const { warmUp, signals } = open(() => Promise.resolve());
  expect(signals).toEqual([]);
  warmUp.onApplicationBootstrap();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  warmUp.beforeApplicationShutdown();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it('warns of a round that failed, unless the api is ending', async () => {
  const failing = () => Promise.reject(new Error('the database is away'));
  const during = open(failing);
  during.warmUp.onApplicationBootstrap();
  await setImmediate();
  expect(during.warnings).toHaveLength(1);
  during.warmUp.beforeApplicationShutdown();

  const ending = open(failing);
  ending.warmUp.onApplicationBootstrap();
  ending.warmUp.beforeApplicationShutdown();
  await setImmediate();
  expect(ending.warnings).toEqual([]);
});

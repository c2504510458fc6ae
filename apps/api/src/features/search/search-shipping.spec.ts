import { expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from '../../platform/logging/logger.js';
import type { Search } from './search.js';
import { SearchWarmUp } from './search-shipping.js';

function open(round: () => Promise<void>) {
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

it('begins once the api has started and ends with it', async () => {
  let end: () => void = () => undefined;
  const { warmUp, rounds } = open(() => new Promise((resolve) => (end = resolve)));
  expect(rounds()).toBe(0);
  warmUp.onApplicationBootstrap();
  expect(rounds()).toBe(1);
  warmUp.beforeApplicationShutdown();
  end();
  await setImmediate();
  expect(rounds()).toBe(1);
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

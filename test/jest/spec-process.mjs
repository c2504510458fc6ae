// Runs once per process that runs spec files. Adds time limits and options for fake timers, which the runner lacks.
import process from 'node:process';
import { ModernFakeTimers } from '@jest/fake-timers';
import { addEventHandler, getState } from 'jest-circus';
import { endProcess } from '../../libs/testing/src/process-end.ts';

/** Only ends hangs. */
const LIMIT_MS = 300_000;

const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });
Object.assign(globalThis.jest, {
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  setSystemTime: (time) => timers.setSystemTime(time),
  advanceTimersByTime: (milliseconds) => timers.advanceTimersByTime(milliseconds),
});

addEventHandler(({ name }) => {
  const { currentDescribeBlock: block } = getState();
  if (name === 'add_test') limit(block.children.at(-1));
  if (name === 'add_hook') limit(block.hooks.at(-1));
});

// Real timers, even while a test uses fake ones.
const { setTimeout, clearTimeout } = globalThis;

// Uncaught errors fail the running test instead of ending the process and all tests to come.
const uncaught = [];
process.on('uncaughtException', (error) => uncaught.push(error?.stack ?? error));

function limit(part) {
  const { fn } = part;
  part.fn = async () => {
    let timeout;
    const hung = new Promise((_resolve, reject) => {
      timeout = setTimeout(() => reject(new Error(`timed out after ${LIMIT_MS / 1000} s`)), LIMIT_MS);
    });
    try {
      await Promise.race([fn(), hung]);
    } finally {
      clearTimeout(timeout);
    }
    if (uncaught.length > 0) throw new Error(`Uncaught errors:\n${uncaught.splice(0).join('\n')}`);
  };
}

// At the end of the run, open connections must not keep the process alive.
process.on('disconnect', () => {
  setTimeout(() => process.exit(), LIMIT_MS);
  void endProcess().finally(() => process.exit());
});

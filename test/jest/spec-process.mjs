// Runs once in each process that runs spec files. The runner has no time limits, and its fake timers take no options.
import process from 'node:process';
import { ModernFakeTimers } from '@jest/fake-timers';
import { addEventHandler, getState } from 'jest-circus';
import { endProcess } from '../../libs/testing/src/process-end.ts';

/** Ends what hangs; no measure of speed. */
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

// The real timers, even while a test uses fake ones.
const { setTimeout, clearTimeout } = globalThis;

// An uncaught error would end the process, and with it every test still to come. Here it fails the running test.
const uncaught = [];
process.on('uncaughtException', (error) => uncaught.push(error?.stack ?? error));

function limit(part) {
  const { fn } = part;
  part.fn = async () => {
    let timeout;
    const hung = new Promise((_resolve, reject) => {
      timeout = setTimeout(() => reject(new Error(`did not end within ${LIMIT_MS / 1000} s`)), LIMIT_MS);
    });
    try {
      await Promise.race([fn(), hung]);
    } finally {
      clearTimeout(timeout);
    }
    if (uncaught.length > 0) throw new Error(`Nobody caught:\n${uncaught.splice(0).join('\n')}`);
  };
}

// The run is over. Connections left open must not keep the process alive.
process.on('disconnect', () => {
  setTimeout(() => process.exit(), LIMIT_MS);
  void endProcess().finally(() => process.exit());
});

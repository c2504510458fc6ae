// Preloaded into a process started with --expose-gc: reports memory use after garbage collection.
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';

process.on('message', async (message) => {
  if (message?.request !== 'memory') return;
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    await nextTurn();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send({ memory: { held: heapUsed + external, rss } });
});

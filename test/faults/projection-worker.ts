// The projection part of the worker as a separate process, built by `npm run build -- --tests`. It starts three times faster, which matters
// for processes that live for half a second.
import { loadSettings } from '../../apps/api/src/platform/config/load-settings.js';
import { openDatabase } from '../../apps/api/src/platform/database/open-database.js';
import { createLogger } from '../../apps/api/src/platform/logging/logger.js';
import { runProcess } from '../../apps/api/src/platform/runtime/run-process.js';
import { closeRuntime, openRuntime, startRuntime } from '../../apps/api/src/platform/runtime/runtime.js';
import { ProjectionWorker } from '@nimo/projection-engine';
import { projections, REWRITING_EVENTS } from '@nimo/projections';

await runProcess('projection worker', async () => {
  const database = await openDatabase(loadSettings(), 'nimo_worker');
  const { settings } = database;
  const logger = createLogger({ name: 'worker', level: settings.logLevel, dataDir: settings.dataDir });
  const runtime = await openRuntime({ settings, logger, name: 'worker' });
  await startRuntime(runtime);
  const worker = new ProjectionWorker({
    pool: runtime.pool,
    store: runtime.store,
    projections,
    rewriting: REWRITING_EVENTS,
    onError: (err, projection) => logger.error({ err, projection }, 'a projection failed'),
  });
  await worker.start();
  return {
    logger,
    faultPolicy: 'shut down',
    onFault: () => undefined,
    stop: async () => {
      await worker.stop();
      await closeRuntime(runtime);
      await database.close();
    },
  };
});

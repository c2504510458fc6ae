// The projections' part of the built worker, as a process of its own. It starts in a third of the time, and starting is most of what a
// process does that lives for half a second.
import { loadSettings } from '../../dist/apps/api/src/platform/config/load-settings.js';
import { openDatabase } from '../../dist/apps/api/src/platform/database/open-database.js';
import { createLogger } from '../../dist/apps/api/src/platform/logging/logger.js';
import { runProcess } from '../../dist/apps/api/src/platform/runtime/run-process.js';
import { closeRuntime, openRuntime, startRuntime } from '../../dist/apps/api/src/platform/runtime/runtime.js';
import { ProjectionWorker } from '../../dist/libs/projection-engine/src/index.js';
import { projections, REWRITING_EVENTS } from '../../dist/libs/projections/src/index.js';

await runProcess('projection worker', async () => {
  const database = await openDatabase(loadSettings(), 'nimo_worker');
  const { settings } = database;
  const logger = createLogger({ name: 'worker', level: settings.logLevel, dataDir: settings.dataDir });
  const runtime = openRuntime({ settings, logger, name: 'worker' });
  await startRuntime(runtime);
  const worker = new ProjectionWorker({
    pool: runtime.pool,
    store: runtime.store,
    projections,
    rewriting: REWRITING_EVENTS,
    onError: (err, projection) => logger.error({ err, projection }, 'a projection was disturbed'),
  });
  await worker.start();
  return {
    logger,
    stop: async () => {
      await worker.stop();
      await closeRuntime(runtime);
      await database.close();
    },
  };
});

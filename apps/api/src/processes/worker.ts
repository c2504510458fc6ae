import { NestFactory } from '@nestjs/core';
import { checkAtStart } from '../cli/doctor/examine.js';
import { assertDemoIsClosed } from '../features/demo/demo-accounts.js';
import { loadSettings } from '../platform/config/load-settings.js';
import { assertMayServe } from '../platform/config/serving.js';
import { openDatabase } from '../platform/database/open-database.js';
import { createLogger, NestLogger } from '../platform/logging/logger.js';
import { runProcess } from '../platform/runtime/run-process.js';
import { closeRuntime, openRuntime, startRuntime } from '../platform/runtime/runtime.js';
import { assertRestoreComplete } from '../platform/runtime/installation.js';
import { WorkerModule } from './worker.module.js';
import { Workers } from './workers.js';

await runProcess('worker', async () => {
  const loaded = loadSettings();
  assertMayServe(loaded);
  const database = await openDatabase(loaded, 'nimo_worker');
  const { settings } = database;
  const logger = createLogger({ name: 'worker', level: settings.logLevel, dataDir: settings.dataDir });
  const runtime = await openRuntime({ settings, logger, name: 'worker' });
  await startRuntime(runtime);
  await assertRestoreComplete(runtime);
  await assertDemoIsClosed(runtime);
  const worker = await NestFactory.createApplicationContext(WorkerModule.forRuntime(runtime), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  await worker.get(Workers).start();
  const startupChecks = checkAtStart(runtime);
  return {
    logger,
    faultPolicy: 'shut down',
    onFault: () => runtime.metrics.uncaughtErrors.inc(),
    stop: async () => {
      await startupChecks;
      await worker.close();
      await closeRuntime(runtime);
      await database.close();
    },
  };
});

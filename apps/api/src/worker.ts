import { NestFactory } from '@nestjs/core';
import { loadSettings } from './platform/config/load-settings.js';
import { openDatabase } from './platform/database/open-database.js';
import { createLogger } from './platform/logging/logger.js';
import { NestLines } from './platform/logging/nest-lines.js';
import { runProcess } from './platform/runtime/run-process.js';
import { closeRuntime, openRuntime, startRuntime } from './platform/runtime/runtime.js';
import { WorkerModule } from './worker.module.js';
import { Workers } from './workers.js';

await runProcess('worker', async () => {
  const database = await openDatabase(loadSettings());
  const { settings } = database;
  const logger = createLogger({ name: 'worker', level: settings.logLevel, dataDir: settings.dataDir });
  const runtime = openRuntime({ settings, logger, name: 'worker' });
  await startRuntime(runtime);
  const worker = await NestFactory.createApplicationContext(WorkerModule.forRuntime(runtime), {
    logger: new NestLines(logger),
    abortOnError: false,
  });
  await worker.get(Workers).start();
  return {
    logger,
    stop: async () => {
      await worker.close();
      await closeRuntime(runtime);
      await database.close();
    },
  };
});

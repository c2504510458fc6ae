import { createDrainableApi } from './api.js';
import { assertDemoIsClosed } from '../features/demo/demo-accounts.js';
import { loadSettings } from '../platform/config/load-settings.js';
import { assertMayServe } from '../platform/config/serving.js';
import { openDatabase } from '../platform/database/open-database.js';
import { createLogger } from '../platform/logging/logger.js';
import { runProcess, SHUTDOWN_TIMEOUT_MS } from '../platform/runtime/run-process.js';
import { closeRuntime, openRuntime, startRuntime } from '../platform/runtime/runtime.js';
import { assertRestoreComplete } from '../platform/runtime/installation.js';

/** With the retries on top, a client learns within three seconds that the event log is unavailable. */
const LOG_TIMEOUT_MS = 2_500;

await runProcess('api', async () => {
  const loaded = loadSettings();
  assertMayServe(loaded);
  const database = await openDatabase(loaded, 'nimo_api');
  const { settings } = database;
  const logger = createLogger({ name: 'api', level: settings.logLevel, dataDir: settings.dataDir });
  const runtime = await openRuntime({
    settings,
    logger,
    name: 'api',
    logTimeoutMs: LOG_TIMEOUT_MS,
  });
  await startRuntime(runtime);
  await assertRestoreComplete(runtime);
  await assertDemoIsClosed(runtime);
  const { api, drain } = await createDrainableApi(runtime);
  await api.listen(settings.port, settings.host);
  const address: unknown = api.getHttpServer().address();
  const port =
    typeof address === 'object' && address !== null && 'port' in address
      ? Number(address.port)
      : settings.port;
  logger.info(`listening on http://${settings.host}:${port}`);
  return {
    logger,
    faultPolicy: 'keep running',
    onFault: () => runtime.metrics.uncaughtErrors.inc(),
    port,
    shutdownTimeoutMs: SHUTDOWN_TIMEOUT_MS + settings.drainSeconds * 1000,
    stop: async () => {
      await drain();
      await api.close();
      await closeRuntime(runtime);
      await database.close();
    },
  };
});

import { createLeavingApi } from './api.js';
import { assertDemoIsClosed } from '../features/demo/demo-accounts.js';
import { loadSettings } from '../platform/config/load-settings.js';
import { assertMayServe } from '../platform/config/serving.js';
import { openDatabase } from '../platform/database/open-database.js';
import { createLogger } from '../platform/logging/logger.js';
import { runProcess, STOPS_WITHIN_MS } from '../platform/runtime/run-process.js';
import { closeRuntime, openRuntime, startRuntime } from '../platform/runtime/runtime.js';
import { assertRestoreIsDone } from '../platform/runtime/installation.js';

/** With the grace of its calls, nobody who sends something waits longer than three seconds to hear that the log is away. */
const LOG_ANSWERS_WITHIN_MS = 2_500;

await runProcess('api', async () => {
  const given = loadSettings();
  assertMayServe(given);
  const database = await openDatabase(given, 'nimo_api');
  const { settings } = database;
  const logger = createLogger({ name: 'api', level: settings.logLevel, dataDir: settings.dataDir });
  const runtime = await openRuntime({
    settings,
    logger,
    name: 'api',
    logAnswersWithinMs: LOG_ANSWERS_WITHIN_MS,
  });
  await startRuntime(runtime);
  await assertRestoreIsDone(runtime);
  await assertDemoIsClosed(runtime);
  const { api, leave } = await createLeavingApi(runtime);
  await api.listen(settings.port, settings.host);
  const address: unknown = api.getHttpServer().address();
  const port =
    typeof address === 'object' && address !== null && 'port' in address
      ? Number(address.port)
      : settings.port;
  logger.info(`listening on http://${settings.host}:${port}`);
  return {
    logger,
    lastResort: 'live on',
    onFault: () => runtime.metrics.uncaughtFaults.inc(),
    port,
    stopsWithinMs: STOPS_WITHIN_MS + settings.leaveSeconds * 1000,
    stop: async () => {
      await leave();
      await api.close();
      await closeRuntime(runtime);
      await database.close();
    },
  };
});

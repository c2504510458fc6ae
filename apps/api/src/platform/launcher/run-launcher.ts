import { environmentOf, loadSettings } from '../config/load-settings.js';
import { assertMayServe } from '../config/serving.js';
import { SettingsError } from '../config/settings-error.js';
import { EmbeddedPostgresError, withPathErrors } from '../embedded-postgres/native-files.js';
import { LaunchError } from './running-instance.js';
import { Launcher } from './launcher.js';
import { createLogger, type Logger } from '../logging/logger.js';
import { handleUncaughtFaults } from '../runtime/run-process.js';

const FORCE_AFTER_MS = 1_000;
const PARENT_CHECK_MS = 250;

/** Starts the whole product from the folder of compiled programs, and stops it on Ctrl-C. */
export function runLauncher(programs: string): void {
  launch(programs).catch((error: unknown) => {
    const text = isForPeople(error)
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  });
}

async function launch(programs: string): Promise<void> {
  const environment = environmentOf(process.env);
  const settings = loadSettings(environment);
  assertMayServe(settings);
  const logger = await withPathErrors(settings.dataDir, () =>
    createLogger({ name: 'launcher', level: settings.logLevel, dataDir: settings.dataDir }),
  );
  const isPortExplicit = (environment['PORT'] ?? '') !== '';
  const launcher = new Launcher({ settings, programs, isPortExplicit, environment, logger });
  stopOnSignal(launcher, logger);
  try {
    process.stdout.write(`${await launcher.start()}\n`);
  } catch (error) {
    const wasStopping = launcher.isStopping;
    await launcher.stop();
    if (!wasStopping) throw error;
  }
}

function stopOnSignal(launcher: Launcher, logger: Logger): void {
  let firstAt: number | undefined;
  const begin = (exitCode: number): void => {
    if (firstAt !== undefined) return;
    firstAt = Date.now();
    process.stdout.write('Stopping …\n');
    launcher.stop().then(
      () => process.exit(exitCode),
      () => process.exit(1),
    );
  };
  const onSignal = (): void => {
    // Earlier signals are the same key press, forwarded by both the terminal and npm.
    if (firstAt !== undefined && Date.now() - firstAt > FORCE_AFTER_MS) {
      launcher.kill();
      process.exit(1);
    }
    begin(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  stopWithNpm(() => begin(0));
  // Stop the children in order, so that no server is left running.
  handleUncaughtFaults({ logger, policy: 'shut down', shutDown: () => begin(1) });
}

/** npm sends SIGTERM to a shell that does not forward it: all we notice is a new parent process. */
function stopWithNpm(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    stop();
  }, PARENT_CHECK_MS);
  check.unref();
}

function isForPeople(error: unknown): error is Error {
  return (
    error instanceof SettingsError || error instanceof EmbeddedPostgresError || error instanceof LaunchError
  );
}

import { loadSettings, type Settings } from '../../platform/config/load-settings.js';
import { SettingsError } from '../../platform/config/settings-error.js';
import { openDatabase } from '../../platform/database/open-database.js';
import { createLogger } from '../../platform/logging/logger.js';
import { closeRuntime, openRuntime, type Runtime } from '../../platform/runtime/runtime.js';
import {
  checkClock,
  checkCollation,
  checkDatabase,
  checkDurability,
  checkEncoding,
  checkVersion,
} from './database-checks.js';
import { broken, type Finding, ok, reasonOf } from './finding.js';
import { checkLogAndKeys } from './log-checks.js';
import {
  checkDataFolder,
  checkDocuments,
  checkNode,
  checkPreviousKeys,
  checkRenamedSettings,
} from './machine-checks.js';
import {
  checkMail,
  checkPictureStore,
  checkPublicAddress,
  checkRedis,
  checkSearch,
  checkSignIn,
  checkSms,
} from './service-checks.js';

/** Checks every configured component. Changes nothing, apart from a test file and a test object that it removes again. */
export async function examine(load: () => Settings = loadSettings): Promise<readonly Finding[]> {
  const node = checkNode();
  let settings: Settings;
  try {
    settings = load();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return [
      node,
      broken(
        'settings',
        error.message,
        'Correct it in the environment or in .env, then run the doctor again.',
      ),
    ];
  }
  const parts = await Promise.all([
    runCheck('data folder', () => checkDataFolder(settings)),
    runCheck('database', () => checkDatabaseAndLog(settings)),
    runCheck('redis', () => checkRedis(settings)),
    runCheck('picture store', () => checkPictureStore(settings)),
    runCheck('search', () => checkSearch(settings)),
    runCheck('mail', () => checkMail(settings)),
    runCheck('sms', () => checkSms(settings)),
    runCheck('sign-in', () => checkSignIn(settings)),
    runCheck('public address', () => checkPublicAddress(settings)),
  ]);
  return [
    node,
    ok('settings', 'Complete.'),
    ...checkRenamedSettings(settings),
    ...checkPreviousKeys(settings),
    ...checkDocuments(settings),
    ...parts.flat(),
  ];
}

/** Reports an unexpected failure of a check as a finding. */
async function runCheck(check: string, run: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await run();
  } catch (error) {
    return [
      broken(
        check,
        `The check failed: ${reasonOf(error)}.`,
        'Make sure the component is running, then run the doctor again.',
      ),
    ];
  }
}

async function checkDatabaseAndLog(loaded: Settings): Promise<readonly Finding[]> {
  const database = await openDatabase(loaded, 'owner');
  try {
    const { settings } = database;
    const findings = await checkDatabase(settings);
    if (findings.some(({ check, status }) => check === 'database' && status === 'broken')) return findings;
    const logger = createLogger({ name: 'cli', level: 'silent', dataDir: settings.dataDir });
    const runtime = await openRuntime({ settings, logger, name: 'doctor' });
    try {
      return [...findings, ...(await runCheck('log', () => checkLogAndKeys(runtime)))];
    } finally {
      await closeRuntime(runtime);
    }
  } finally {
    await database.close();
  }
}

/**
 * Runs the cheap checks when the worker starts, and logs what needs attention. Never delays or prevents the start. Only in production,
 * as a database for development or tests need not be durable.
 */
export async function checkAtStart({
  settings,
  pool,
  logger,
}: Pick<Runtime, 'settings' | 'pool' | 'logger'>): Promise<void> {
  if (settings.nodeEnv !== 'production') return;
  try {
    const findings: readonly Finding[] = [
      checkNode(),
      ...checkPreviousKeys(settings),
      ...checkDocuments(settings),
      ...(await checkDataFolder(settings)),
      await checkVersion(pool),
      await checkEncoding(pool),
      ...(await checkCollation(pool)),
      await checkDurability(pool),
      await checkClock(pool),
    ];
    for (const { check, status, message, fix } of findings) {
      if (status !== 'ok') logger.warn({ check, status }, `${check}: ${message} ${fix ?? ''}`);
    }
  } catch (error) {
    logger.warn(`startup checks failed: ${reasonOf(error)}. Run nimo doctor for a full check.`);
  }
}

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
import { broken, type Finding, fine, reasonOf } from './finding.js';
import { checkLogAndKeys } from './log-checks.js';
import { checkDataFolder, checkDocuments, checkFormerKeys, checkNode } from './machine-checks.js';
import {
  checkMail,
  checkPictureStore,
  checkPublicAddress,
  checkRedis,
  checkSearch,
  checkSignIn,
  checkSms,
} from './parts-checks.js';

/** Looks at everything that the settings name. Writes nothing but a file and an object that it removes again. */
export async function examine(load: () => Settings = loadSettings): Promise<readonly Finding[]> {
  const node = checkNode();
  let settings: Settings;
  try {
    settings = load();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return [
      node,
      broken('settings', error.message, 'Correct it in the environment or in .env, and ask again.'),
    ];
  }
  const parts = await Promise.all([
    looked('data folder', () => checkDataFolder(settings)),
    looked('database', () => checkDatabaseAndLog(settings)),
    looked('redis', () => checkRedis(settings)),
    looked('picture store', () => checkPictureStore(settings)),
    looked('search', () => checkSearch(settings)),
    looked('mail', () => checkMail(settings)),
    looked('sms', () => checkSms(settings)),
    looked('sign-in', () => checkSignIn(settings)),
    looked('public address', () => checkPublicAddress(settings)),
  ]);
  return [
    node,
    fine('settings', 'Complete.'),
    ...checkFormerKeys(settings),
    ...checkDocuments(settings),
    ...parts.flat(),
  ];
}

/** A look that fails in a way that nobody thought of is a finding as well. */
async function looked(check: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [
      broken(
        check,
        `It could not be looked at: ${reasonOf(error)}.`,
        'See that the part runs, and ask again.',
      ),
    ];
  }
}

async function checkDatabaseAndLog(given: Settings): Promise<readonly Finding[]> {
  const database = await openDatabase(given, 'owner');
  try {
    const { settings } = database;
    const findings = await checkDatabase(settings);
    if (findings.some(({ check, verdict }) => check === 'database' && verdict === 'broken')) return findings;
    const logger = createLogger({ name: 'cli', level: 'silent', dataDir: settings.dataDir });
    const runtime = await openRuntime({ settings, logger, name: 'doctor' });
    try {
      return [...findings, ...(await looked('log', () => checkLogAndKeys(runtime)))];
    } finally {
      await closeRuntime(runtime);
    }
  } finally {
    await database.close();
  }
}

/**
 * Runs the doctor's cheap checks while the worker starts, and logs what must be mended. Nothing waits for them, and nothing fails because
 * of them. In production only: a database for development or tests need not be durable.
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
      ...checkFormerKeys(settings),
      ...checkDocuments(settings),
      ...(await checkDataFolder(settings)),
      await checkVersion(pool),
      await checkEncoding(pool),
      ...(await checkCollation(pool)),
      await checkDurability(pool),
      await checkClock(pool),
    ];
    for (const { check, verdict, says, remedy } of findings) {
      if (verdict !== 'fine') logger.warn({ check, verdict }, `${check}: ${says} ${remedy ?? ''}`);
    }
  } catch (error) {
    logger.warn(`the checks at the start ended early: ${reasonOf(error)}. Run nimo doctor for all of them.`);
  }
}

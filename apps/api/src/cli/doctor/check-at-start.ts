import type { Runtime } from '../../platform/runtime/runtime.js';
import {
  checkClock,
  checkCollation,
  checkDurability,
  checkEncoding,
  checkVersion,
} from './database-checks.js';
import { reasonOf, type Finding } from './finding.js';
import { checkDataFolder, checkDocuments, checkFormerKeys, checkNode } from './machine-checks.js';

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

import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { projections, REWRITING_EVENTS } from '@nimo/projections';
import { ProjectionWorker } from '@nimo/projection-engine';
import { LogAlarm } from '../features/log-proof/log-chain.js';
import { AppendOrder } from '../features/imports/import-order.js';
import { loadSettings, type Settings } from '../platform/config/load-settings.js';
import { openDatabase } from '../platform/database/open-database.js';
import { createLogger } from '../platform/logging/logger.js';
import { NestLines } from '../platform/logging/nest-lines.js';
import { closeRuntime, openRuntime, startRuntime, type Runtime } from '../platform/runtime/runtime.js';
import { CliModule } from './cli.module.js';

/** A command line is not a web page: whoever typed it waits for what was done to be seen, be the machine ever so busy. */
const PATIENCE_MS = 60_000;

export interface CliSession {
  readonly runtime: Runtime;
  readonly container: INestApplicationContext;
  /** Puts the appends of an import in order; other commands pass it. */
  readonly order: AppendOrder;
}

/**
 * Runs one command of the command line beside whatever else runs: attaches to the database (or starts the embedded one) and stops it
 * again when nobody else needs it.
 *
 * @param beforeAnything what may refuse the command before the database becomes one of this version and notes where its log is
 */
export async function inSession<Result>(
  work: (session: CliSession) => Promise<Result>,
  given: Settings = loadSettings(),
  beforeAnything: (settings: Settings) => Promise<unknown> = () => Promise.resolve(),
): Promise<Result> {
  const database = await openDatabase(given, 'owner');
  const { settings } = database;
  try {
    await beforeAnything(settings);
    const level = settings.logLevel === 'info' ? 'warn' : settings.logLevel;
    const logger = createLogger({ name: 'cli', level, dataDir: settings.dataDir });
    const order = new AppendOrder();
    const runtime = await openRuntime({
      settings,
      logger,
      name: 'cli',
      patienceMs: PATIENCE_MS,
      arrangeLog: (log) => order.arrange(log, settings.eventStoreUrl === undefined),
    });
    try {
      await startRuntime(runtime);
      const container = await NestFactory.createApplicationContext(CliModule.forRuntime(runtime), {
        logger: new NestLines(logger),
        abortOnError: false,
      });
      try {
        return await work({ runtime, container, order });
      } finally {
        await container.close();
      }
    } finally {
      await closeRuntime(runtime);
    }
  } finally {
    await database.close();
  }
}

/** Projections follow in this process as far as no worker runs. */
export async function withProjections<Result>(
  { pool, store, logger }: Runtime,
  work: () => Promise<Result>,
): Promise<Result> {
  const worker = new ProjectionWorker({
    pool,
    store,
    projections,
    isTemporary: true,
    rewriting: REWRITING_EVENTS,
    refusal: () => new LogAlarm(pool, logger).refusal(),
    onError: (err, projection) => logger.error({ err, projection }, 'a projection failed'),
  });
  await worker.start();
  try {
    return await work();
  } finally {
    await worker.stop();
  }
}

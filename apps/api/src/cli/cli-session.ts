import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { projections, REWRITING_EVENTS } from '@nimo/projections';
import { ProjectionWorker } from '@nimo/projection-engine';
import { userInfo } from 'node:os';
import process from 'node:process';
import { randomUUID } from 'node:crypto';
import { type Command, CommandBus } from '@nestjs/cqrs';
import { type Authority, type ConfidentialKind, OPERATOR } from '@nimo/domain';
import type { Pool } from 'pg';
import { LogAlarm } from '../features/log-proof/log-chain.js';
import { AppendOrder } from '../features/imports/import-order.js';
import { loadSettings, type Settings } from '../platform/config/load-settings.js';
import { openDatabase } from '../platform/database/open-database.js';
import { createLogger, NestLines } from '../platform/logging/logger.js';
import { closeRuntime, openRuntime, type Runtime, startRuntime } from '../platform/runtime/runtime.js';
import { CliModule } from './cli.module.js';
import { isPersonName } from '../platform/config/setting.js';
import { EXIT, UsageError } from './failure.js';
import { Accounts } from '../features/accounts/accounts.js';
import { Credentials } from '../platform/auth/credentials.js';
import type { CommandContext } from '../platform/commands/command-context.js';
import { newFreshness } from '../platform/commands/freshness.js';
import { ConfidentialReads } from '../platform/traces/traces.js';
import type { ReadScope } from '../platform/auth/access.js';

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

interface Surroundings {
  /** @throws where the operating system has no name for the user, as in a container with a number alone */
  readonly userName: () => string;
  readonly sudoUser: string | undefined;
}

const HERE: Surroundings = {
  userName: () => userInfo().username,
  get sudoUser() {
    return process.env['SUDO_USER'];
  },
};

/**
 * Who works at the command line: as said, or the user of the operating system; behind `sudo` whoever called it. It is what they say, not
 * what they prove: who has the keys and the database can say any name.
 * @throws UsageError where nobody says it, as an act without a name would be nobody's
 */
export function operatorName({ operator }: Pick<Settings, 'operator'>, here: Surroundings = HERE): string {
  const found = [operator, here.sudoUser, userNameOf(here)].find(
    (name) => name !== undefined && isPersonName(name),
  );
  if (found === undefined)
    throw new UsageError(
      'Who are you? The log names whoever acts. Say it with --operator NAME, or set NIMO_OPERATOR.',
    );
  return found.trim();
}

function userNameOf({ userName }: Surroundings): string | undefined {
  try {
    return userName();
  } catch {
    return undefined;
  }
}

/** Somebody at the command line: no student, and allowed what a maintainer is. */
export interface OperatorSession {
  readonly pool: Pool;
  readonly accounts: Accounts;
  readonly credentials: Credentials;
  /** The context of one command. The log says which operator gave it. */
  context(): CommandContext<Authority>;
  /** Says so on standard error where the command changed nothing. */
  execute<Result>(command: Command<Result>): Promise<Result>;
  /** Tells the log what the operator is about to be shown. */
  tellOfRead(what: ConfidentialKind, scope: ReadScope): Promise<void>;
}

/** The read side follows meanwhile, whether a worker runs or not: what was done can be looked at. */
export const asOperator = <Result>(work: (session: OperatorSession) => Promise<Result>): Promise<Result> =>
  inSession(({ container, runtime }) => {
    const operator = operatorName(runtime.settings);
    return withProjections(runtime, () => {
      const commands = container.get(CommandBus, { strict: false });
      let outcome: CommandContext['outcome'];
      return work({
        pool: runtime.pool,
        accounts: container.get(Accounts, { strict: false }),
        credentials: container.get(Credentials, { strict: false }),
        context: () => ({ ...operatorContext(operator), outcome: (outcome = {}) }),
        execute: async (command) => {
          const result = await commands.execute(command);
          if (outcome?.isChanged === false) process.stderr.write('Nothing changed: it was so before.\n');
          return result;
        },
        tellOfRead: (what, scope) => tellOfRead({ container, runtime }, what, scope),
      });
    });
  });

/** Written when this resolves: what cannot be told must not be shown. */
export function tellOfRead(
  { container, runtime }: Pick<CliSession, 'container' | 'runtime'>,
  what: ConfidentialKind,
  scope: ReadScope,
): Promise<void> {
  const { by, actor } = operatorContext(operatorName(runtime.settings));
  const reads = container.get(ConfidentialReads, { strict: false });
  return reads.record({ by, actor }, { what, scope, isCopy: true });
}

/** @param operator who it is, as `operatorName` tells */
export function operatorContext(operator: string): CommandContext<Authority> {
  const commandId = randomUUID();
  return {
    by: OPERATOR,
    actor: { kind: 'operator', operator },
    commandId,
    correlationId: commandId,
    causationId: commandId,
    freshness: newFreshness(),
  };
}

/** Runs what Ctrl-C may end early: the work sees the signal, cleans up and throws, and the command ends with 130. */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await work(stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    process.stderr.write('Interrupted.\n');
    process.exitCode = EXIT.interrupted;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

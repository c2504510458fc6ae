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
import { createLogger, NestLogger } from '../platform/logging/logger.js';
import { closeRuntime, openRuntime, type Runtime, startRuntime } from '../platform/runtime/runtime.js';
import { CliModule } from './cli.module.js';
import { isPersonName } from '../platform/config/setting.js';
import { EXIT, UsageError } from './failure.js';
import { printNote } from './output.js';
import { Accounts } from '../features/accounts/accounts.js';
import { Invitations } from '../features/invitations/invitations.js';
import { Credentials } from '../platform/auth/credentials.js';
import type { CommandContext } from '../platform/commands/command-context.js';
import { newFreshness } from '../platform/commands/freshness.js';
import { configuredOrigin } from '../platform/web/public-address.js';
import { ConfidentialReads } from '../platform/traces/traces.js';
import type { ReadScope } from '../platform/auth/access.js';

/** Longer than for web requests: a command waits until the projections show its result, even on a busy machine. */
const WAIT_TIMEOUT_MS = 60_000;

export interface CliSession {
  readonly runtime: Runtime;
  readonly container: INestApplicationContext;
  /** Orders the appends of an import. Other commands bypass it. */
  readonly order: AppendOrder;
}

/**
 * Runs one command, with or without a running Nimo: connects to the database, or starts the embedded one and stops it again unless
 * another process uses it.
 *
 * @param preflight may refuse the command before the schema is migrated and the location of the log is recorded
 */
export async function withSession<Result>(
  work: (session: CliSession) => Promise<Result>,
  loaded: Settings = loadSettings(),
  preflight: (settings: Settings) => Promise<unknown> = () => Promise.resolve(),
): Promise<Result> {
  const database = await openDatabase(loaded, 'owner');
  const { settings } = database;
  try {
    await preflight(settings);
    const level = settings.logLevel === 'info' ? 'warn' : settings.logLevel;
    const logger = createLogger({ name: 'cli', level, dataDir: settings.dataDir });
    const order = new AppendOrder();
    const runtime = await openRuntime({
      settings,
      logger,
      name: 'cli',
      projectionTimeoutMs: WAIT_TIMEOUT_MS,
      arrangeLog: (log) => order.wrap(log, settings.eventStoreUrl === undefined),
    });
    try {
      await startRuntime(runtime);
      const container = await NestFactory.createApplicationContext(CliModule.forRuntime(runtime), {
        logger: new NestLogger(logger),
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

/** Runs the projections in this process unless a worker already does. */
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
    refusal: () => new LogAlarm(pool, logger).switchRefusal(),
    onError: (err, projection) => logger.error({ err, projection }, 'projection failed'),
  });
  await worker.start();
  try {
    return await work();
  } finally {
    await worker.stop();
  }
}

interface OsIdentity {
  /** @throws if the operating system has no name for the user ID, as in some containers */
  readonly userName: () => string;
  readonly sudoUser: string | undefined;
}

const CURRENT_IDENTITY: OsIdentity = {
  userName: () => userInfo().username,
  get sudoUser() {
    return process.env['SUDO_USER'];
  },
};

/**
 * Name of the operator: the setting, or the user who called `sudo`, or the operating system's user. It is not authenticated: anyone with
 * the keys and the database can give any name.
 * @throws UsageError if there is no valid name
 */
export function operatorName(
  { operator }: Pick<Settings, 'operator'>,
  identity: OsIdentity = CURRENT_IDENTITY,
): string {
  const found = [operator, identity.sudoUser, userNameOf(identity)].find(
    (name) => name !== undefined && isPersonName(name),
  );
  if (found === undefined)
    throw new UsageError(
      'The log records who runs a command, and your user has no name. Pass --operator NAME or set NIMO_OPERATOR.',
    );
  return found.trim();
}

function userNameOf({ userName }: OsIdentity): string | undefined {
  try {
    return userName();
  } catch {
    return undefined;
  }
}

interface ChangeNotes {
  /** Not printed by default: the result shows it. */
  readonly changed?: string | undefined;
  readonly unchanged?: string;
}

/** A command-line session with the permissions of a maintainer. */
export interface OperatorSession {
  readonly pool: Pool;
  readonly accounts: Accounts;
  readonly credentials: Credentials;
  readonly invitations: Invitations;
  /** The public URL without a trailing slash. */
  readonly origin: string;
  /** Creates the context of one command, which records the operator in the log. */
  context(): CommandContext<Authority>;
  /** Says on standard error whether the command changed anything. */
  execute<Result>(command: Command<Result>, notes?: ChangeNotes): Promise<Result>;
  /** Records in the log what the operator is about to see. */
  recordRead(what: ConfidentialKind, scope: ReadScope): Promise<void>;
}

/** Runs work as the operator, with projections kept up to date even if no worker runs. */
export const asOperator = <Result>(work: (session: OperatorSession) => Promise<Result>): Promise<Result> =>
  withSession(({ container, runtime }) => {
    const operator = operatorName(runtime.settings);
    return withProjections(runtime, () => {
      const commands = container.get(CommandBus, { strict: false });
      let outcome: CommandContext['outcome'];
      return work({
        pool: runtime.pool,
        accounts: container.get(Accounts, { strict: false }),
        credentials: container.get(Credentials, { strict: false }),
        invitations: container.get(Invitations, { strict: false }),
        origin: configuredOrigin(runtime.settings),
        context: () => ({ ...operatorContext(operator), outcome: (outcome = {}) }),
        execute: async (command, { changed, unchanged = 'No changes: already up to date.' } = {}) => {
          const result = await commands.execute(command);
          if (outcome?.isChanged === false) printNote(unchanged);
          else if (changed !== undefined) printNote(changed);
          return result;
        },
        recordRead: (what, scope) => recordRead({ container, runtime }, what, scope),
      });
    });
  });

/** Resolves once the read is in the log. Data must not be shown before that. */
export function recordRead(
  { container, runtime }: Pick<CliSession, 'container' | 'runtime'>,
  what: ConfidentialKind,
  scope: ReadScope,
): Promise<void> {
  const { by, actor } = operatorContext(operatorName(runtime.settings));
  const reads = container.get(ConfidentialReads, { strict: false });
  return reads.record({ by, actor }, { what, scope, isCopy: true });
}

/** @param operator as returned by `operatorName` */
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

/** Runs work that Ctrl-C may end early: the work sees the signal, cleans up and throws, and the command exits with 130. */
export async function interruptible(
  work: (signal: AbortSignal) => Promise<void>,
  note = 'Interrupted.',
): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await work(stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    printNote(note);
    process.exitCode = EXIT.interrupted;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { CommandBus, type Command } from '@nestjs/cqrs';
import { type ConfidentialKind, OPERATOR, type Authority } from '@nimo/domain';
import type { Pool } from 'pg';
import { Accounts } from '../features/students/accounts.js';
import { Credentials } from '../platform/auth/credentials.js';
import type { CommandContext } from '../platform/commands/command-context.js';
import { ConfidentialReads } from '../platform/traces/confidential-reads.js';
import type { ReadScope } from '../platform/traces/trace-rule.js';
import { type CliSession, inSession, withProjections } from './cli-session.js';
import { operatorName } from './operator-name.js';

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
    freshness: { stale: false },
  };
}

import { randomUUID } from 'node:crypto';
import { CommandBus, type Command } from '@nestjs/cqrs';
import { OPERATOR, type Authority } from '@nimo/domain';
import type { Pool } from 'pg';
import { Accounts } from '../features/students/accounts.js';
import { Credentials } from '../platform/auth/credentials.js';
import type { CommandContext } from '../platform/commands/command-context.js';
import { inSession, withProjections } from './cli-session.js';
import { operatorName } from './operator-name.js';

/** Somebody at the command line: no student, and allowed what a maintainer is. */
export interface OperatorSession {
  readonly pool: Pool;
  readonly accounts: Accounts;
  readonly credentials: Credentials;
  /** The context of one command. The log says which operator gave it. */
  context(): CommandContext<Authority>;
  execute<Result>(command: Command<Result>): Promise<Result>;
}

/** The read side follows meanwhile, whether a worker runs or not: what was done can be looked at. */
export const asOperator = <Result>(work: (session: OperatorSession) => Promise<Result>): Promise<Result> =>
  inSession(({ container, runtime }) => {
    const operator = operatorName(runtime.settings);
    return withProjections(runtime, () => {
      const commands = container.get(CommandBus, { strict: false });
      return work({
        pool: runtime.pool,
        accounts: container.get(Accounts, { strict: false }),
        credentials: container.get(Credentials, { strict: false }),
        context: () => operatorContext(operator),
        execute: (command) => commands.execute(command),
      });
    });
  });

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

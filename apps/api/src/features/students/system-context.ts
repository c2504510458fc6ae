import { randomUUID } from 'node:crypto';
import { OPERATOR } from '@nimo/domain';
import type { CommandContext } from '../../platform/commands/command-context.js';

/** Of what the product does by itself. */
export function systemContext(): CommandContext<typeof OPERATOR> {
  const commandId = randomUUID();
  return {
    by: OPERATOR,
    actor: { kind: 'system' },
    commandId,
    correlationId: commandId,
    causationId: commandId,
  };
}

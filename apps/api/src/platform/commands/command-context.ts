import { randomUUID } from 'node:crypto';
import { DomainError, type ActingStudent, type Actor, type Authority } from '@nimo/domain';
import { v5 as uuidv5 } from 'uuid';
import type { RequestContext } from '../graphql/request-context.js';

const COMMAND_NAMESPACE = 'b9f0b7f2-31c6-5a43-8b1d-64a3d9f2c7e0';
const STEP_NAMESPACE = '0d8a4c0e-7f55-5d7e-9a53-3f1f6f6bd1c4';

/** Who gives a command, and under which ids it goes into the log. */
export interface CommandContext<By extends Authority = ActingStudent> {
  /** What the decisions check. An import acts for a student of another community, the first start as an operator. */
  readonly by: By;
  /** What the log says. */
  readonly actor: Actor;
  readonly commandId: string;
  readonly correlationId: string;
  /** What made this command: the command itself unless a reactor answers an event. */
  readonly causationId: string;
  /** The source's time for an import. */
  readonly occurredAt?: string;
  /** Where the caller looks at the read side next; nothing is waited for without it. */
  readonly freshness?: { stale: boolean };
}

/**
 * The context of a mutation by the signed-in student. A repeated `Idempotency-Key` gives the same command id, so that the
 * command is found done; `operation` keeps apart what a client does under one key.
 */
export function commandOf(request: RequestContext, operation: string): CommandContext {
  const { viewer } = request;
  if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
  return commandBy(request, operation, viewer);
}

/** The context of a mutation by somebody who proved who they are by other means than a session (a grant). */
export function commandBy(request: RequestContext, operation: string, by: ActingStudent): CommandContext {
  const { idempotencyKey, correlationId, freshness, commands } = request;
  // Mutations of one request run one after the other, so a repeated request counts the same.
  const place = commands.given++;
  const commandId = idempotencyKey
    ? uuidv5(`${by.studentId}:${operation}:${place}:${idempotencyKey}`, COMMAND_NAMESPACE)
    : randomUUID();
  return {
    by,
    actor: { kind: 'student', id: by.studentId },
    commandId,
    correlationId,
    causationId: commandId,
    freshness,
  };
}

/** The id of something that the command creates: the same when the command is repeated. */
export const createdId = (context: CommandContext<Authority>, what: string): string =>
  uuidv5(what, context.commandId);

/** A step of a command that appends to more than one stream, each step once. */
export const stepOf = <Context extends CommandContext<Authority>>(
  context: Context,
  step: string,
): Context => ({
  ...context,
  commandId: uuidv5(`${context.commandId}:${step}`, STEP_NAMESPACE),
});

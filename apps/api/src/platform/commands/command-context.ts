import { randomUUID } from 'node:crypto';
import { DomainError, type ActingStudent, type Actor, type Authority, OPERATOR } from '@nimo/domain';
import { v5 as uuidv5 } from 'uuid';
import { ApiError } from '../errors/api-error.js';
import type { IdempotencyKey, RequestContext, Freshness } from '../auth/request-context.js';

const COMMAND_NAMESPACE = 'b9f0b7f2-31c6-5a43-8b1d-64a3d9f2c7e0';
const MAX_KEY_LENGTH = 200;
/** What whoever does not accept the terms of use can do all the same: go, and be left in peace. */
const WITHOUT_TERMS: ReadonlySet<string> = new Set([
  'acceptTerms',
  'deleteOwnAccount',
  'keepOwnAccount',
  'leaveSpace',
  'withdrawEntryRequest',
]);
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
  /** Where somebody who is signed in gave a key. */
  readonly idempotency?: Idempotency;
  /** Where the caller looks at the read side next; nothing is waited for without it. */
  readonly freshness?: Freshness;
  /** For a caller who says whether anything changed; filled once something was decided. */
  readonly outcome?: { isChanged?: boolean };
}

/** One student's key, with what was said under it. */
export interface KeyOfStudent {
  readonly studentId: string;
  readonly given: IdempotencyKey;
}

export interface Idempotency extends KeyOfStudent {
  /** That was said, as a whole: its steps are decided anew, as what follows them may have failed. */
  readonly commandId: string;
}

/**
 * The context of a mutation by the signed-in student. A repeated `Idempotency-Key` gives the same command id, so that the
 * command is found done; `operation` keeps apart what a client does under one key.
 */
export function commandOf(request: RequestContext, operation: string): CommandContext {
  const { viewer, idempotencyKey: given } = request;
  if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
  if (request.mustAcceptTerms === true && !WITHOUT_TERMS.has(operation))
    throw new DomainError('TERMS_NOT_ACCEPTED');
  const context = commandBy(request, operation, viewer);
  if (!given) return context;
  const { commandId } = context;
  return { ...context, idempotency: { studentId: viewer.studentId, given, commandId } };
}

/**
 * The context of a mutation by somebody who proved who they are by other means than a session (a grant). What they said under their key
 * is part of the command's id: two commands never ask for events of the same ids, whatever a client does with its keys.
 */
export function commandBy(request: RequestContext, operation: string, by: ActingStudent): CommandContext {
  const { idempotencyKey, correlationId, freshness, commands } = request;
  // Mutations of one request run one after the other, so a repeated request counts the same.
  const place = commands.given++;
  const commandId = idempotencyKey
    ? uuidv5(
        [by.studentId, operation, place, requireKey(idempotencyKey), idempotencyKey.request].join(':'),
        COMMAND_NAMESPACE,
      )
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

/** Somebody who is about to sign up, or proved to own the phone of an account: no rights but over that account. */
export const unregistered = (studentId: string): ActingStudent => ({
  kind: 'student',
  studentId,
  registered: false,
  blocked: false,
  roles: [],
});

/** The context of a command that the product gives by itself. */
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

/** Names one attempt at what a link or a grant allows once. */
export const attemptOf = ({ idempotencyKey }: RequestContext): string =>
  idempotencyKey ? requireKey(idempotencyKey) : randomUUID();

/** @throws ApiError for a key that says nothing, or is too long to be kept */
export function requireKey({ key }: IdempotencyKey): string {
  if (key.trim() !== '' && key.length <= MAX_KEY_LENGTH) return key;
  throw new ApiError('VALIDATION_FAILED', `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters.`, {
    field: 'Idempotency-Key',
    rule: 'IDEMPOTENCY_KEY_INVALID',
  });
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

import { randomUUID } from 'node:crypto';
import { DomainError, type ActingStudent, type Actor, type Authority, OPERATOR } from '@nimo/domain';
import { v5 as uuidv5 } from 'uuid';
import { ApiError } from '../errors/api-error.js';
import type { IdempotencyKey, RequestContext, Freshness } from '../auth/request-context.js';

const COMMAND_NAMESPACE = 'b9f0b7f2-31c6-5a43-8b1d-64a3d9f2c7e0';
const MAX_KEY_LENGTH = 200;
/** Open to students who have not accepted the terms, so that they can leave. */
const WITHOUT_TERMS: ReadonlySet<string> = new Set([
  'acceptTerms',
  'cancelOwnErasure',
  'deleteOwnAccount',
  'leaveSpace',
  'withdrawEntryRequest',
]);
const STEP_NAMESPACE = '0d8a4c0e-7f55-5d7e-9a53-3f1f6f6bd1c4';

/** The actor of a command and the ids under which its events are logged. */
export interface CommandContext<By extends Authority = ActingStudent> {
  /** Checked by decisions. An import acts for a student of another community, the first start as an operator. */
  readonly by: By;
  /** Recorded in event metadata. */
  readonly actor: Actor;
  readonly commandId: string;
  readonly correlationId: string;
  /** The command itself, unless a reactor responds to an event. */
  readonly causationId: string;
  /** Set by imports: the time at the source. */
  readonly occurredAt?: string;
  /** Present when a signed-in student sent an idempotency key. */
  readonly idempotency?: Idempotency;
  /** Without it, the command does not wait for projections. */
  readonly freshness?: Freshness;
  /** Filled by the runner for callers that report whether anything changed. */
  readonly outcome?: { isChanged?: boolean };
}

/** A student's idempotency key. */
export interface StudentIdempotencyKey {
  readonly studentId: string;
  readonly key: IdempotencyKey;
}

export interface Idempotency extends StudentIdempotencyKey {
  /** The whole command: its steps are decided again, since a later step may have failed. */
  readonly commandId: string;
}

/**
 * The context of a mutation by the signed-in student. A repeated `Idempotency-Key` yields the same command id, so the command
 * is recognised as done; `operation` separates different mutations sent under one key.
 *
 * @throws DomainError SIGN_IN_REQUIRED or TERMS_NOT_ACCEPTED
 */
export function commandContext(request: RequestContext, operation: string): CommandContext {
  const { viewer, idempotencyKey: key } = request;
  if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
  if (request.mustAcceptTerms === true && !WITHOUT_TERMS.has(operation))
    throw new DomainError('TERMS_NOT_ACCEPTED');
  const context = commandContextFor(request, operation, viewer);
  if (!key) return context;
  const { commandId } = context;
  return { ...context, idempotency: { studentId: viewer.studentId, key, commandId } };
}

/**
 * The context of a mutation by a caller authenticated without a session (by a grant). The command id includes the request hash, so two
 * different commands never produce the same event ids, however a client reuses its keys.
 */
export function commandContextFor(
  request: RequestContext,
  operation: string,
  by: ActingStudent,
): CommandContext {
  const { idempotencyKey, correlationId, freshness, commands } = request;
  // Mutations of one request run in sequence, so a repeated request assigns the same numbers.
  const place = commands.count++;
  const commandId = idempotencyKey
    ? uuidv5(
        [by.studentId, operation, place, requireKey(idempotencyKey), idempotencyKey.requestHash].join(':'),
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

/** Someone signing up, or who proved ownership of an account's phone: may act on that account only. */
export const unregisteredStudent = (studentId: string): ActingStudent => ({
  kind: 'student',
  studentId,
  registered: false,
  blocked: false,
  roles: [],
});

/** The context of a command issued by the system. */
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

/** Identifies one attempt to use a single-use link or grant. */
export const attemptId = ({ idempotencyKey }: RequestContext): string =>
  idempotencyKey ? requireKey(idempotencyKey) : randomUUID();

/** @throws ApiError when the key is blank or too long */
export function requireKey({ key }: IdempotencyKey): string {
  if (key.trim() !== '' && key.length <= MAX_KEY_LENGTH) return key;
  throw new ApiError('VALIDATION_FAILED', `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters.`, {
    field: 'Idempotency-Key',
    rule: 'IDEMPOTENCY_KEY_INVALID',
  });
}

/** The id of an entity the command creates; a repeated command yields the same id. */
export const deterministicId = (context: CommandContext<Authority>, what: string): string =>
  uuidv5(what, context.commandId);

/** The context of one step of a command that appends to several streams. Each step is idempotent. */
export const commandStep = <Context extends CommandContext<Authority>>(
  context: Context,
  step: string,
): Context => ({
  ...context,
  commandId: uuidv5(`${context.commandId}:${step}`, STEP_NAMESPACE),
});

/**
 * A step on the stream of a claim. Its events name neither the student nor the command: phone numbers can be brute-forced from the stream's
 * name, and they would identify an erased student.
 */
export function claimStep<Context extends CommandContext<Authority>>(
  context: Context,
  step: string,
): Context {
  const { commandId } = commandStep(context, step);
  return {
    ...context,
    actor: { kind: 'system' },
    commandId,
    correlationId: commandId,
    causationId: commandId,
  };
}

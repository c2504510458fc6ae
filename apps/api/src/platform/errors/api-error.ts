import { messageOf, type MessageParams } from '@nimo/domain';

/** Values of `extensions.code`. */
export type ErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'VALIDATION_FAILED'
  | 'CONFLICT'
  | 'TOO_MANY_REQUESTS'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNAVAILABLE'
  | 'INTERNAL';

export interface ErrorDetails {
  /** The invalid input. */
  readonly field?: string;
  /** The violated rule: a domain error code, or one of the API. */
  readonly rule?: string;
  /** Parameters of the message, so that clients can translate it. */
  readonly params?: MessageParams;
}

/** An error of the request itself, with a message for clients. Violated product rules are `DomainError`s. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }
}

export const SOMETHING_WENT_WRONG = messageOf('TRY_AGAIN_LATER');

/** HTTP status of an error outside GraphQL. */
export function httpStatusOf(code: ErrorCode): number {
  switch (code) {
    case 'UNAUTHENTICATED':
      return 401;
    case 'FORBIDDEN':
      return 403;
    case 'NOT_FOUND':
      return 404;
    case 'VALIDATION_FAILED':
      return 400;
    case 'CONFLICT':
      return 409;
    case 'TOO_MANY_REQUESTS':
      return 429;
    case 'PAYLOAD_TOO_LARGE':
      return 413;
    case 'UNAVAILABLE':
      return 503;
    case 'INTERNAL':
      return 500;
  }
}

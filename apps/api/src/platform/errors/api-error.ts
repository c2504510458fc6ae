import { messageOf, type MessageParams } from '@nimo/domain';

/** `extensions.code` of every error that leaves the API. */
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
  /** The input that is wrong. */
  readonly field?: string;
  /** The rule that was broken: the domain's code, or the API's own. */
  readonly rule?: string;
  /** What the message of the rule was filled with, so that a client can say it in another language. */
  readonly params?: MessageParams;
}

/** An error of the request as such, whose message may be shown. Rules of the product are `DomainError`s. */
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

/** HTTP status of an error outside of GraphQL, where data cannot stand beside it. */
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

import { ServerError, ServerParseError } from '@apollo/client/errors';
import { isReached } from './connection';
import { awayStatus } from './until-answered';

/** Nobody answered, or only a proxy did. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof TypeError ||
  ((ServerError.is(error) || ServerParseError.is(error)) && awayStatus.has(error.statusCode));

/** It could not be sent for want of a connection, whose return will be noticed. */
export const isLostSending = (error: unknown): boolean => isUnanswered(error) && !isReached();

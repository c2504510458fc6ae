import { HeaderMap } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { DomainError, type ErrorCategory } from '@nimo/domain';
import { ConcurrencyError, EventStoreUnavailableError } from '@nimo/event-store';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { isDatabaseAway } from '../database/database-away.js';
import { correlation } from '../logging/correlation.js';
import { KeyLostError } from '../personal-data/student-keys.js';
import { ApiError, httpStatusOf, SOMETHING_WENT_WRONG, type ErrorCode } from './api-error.js';

/** What Apollo found wrong with the request itself, before any of our code ran. */
const REQUEST_ERRORS = new Map<string, ErrorCode>([
  ['GRAPHQL_PARSE_FAILED', 'VALIDATION_FAILED'],
  ['GRAPHQL_VALIDATION_FAILED', 'VALIDATION_FAILED'],
  ['BAD_USER_INPUT', 'VALIDATION_FAILED'],
  ['BAD_REQUEST', 'VALIDATION_FAILED'],
  ['OPERATION_RESOLUTION_FAILURE', 'VALIDATION_FAILED'],
  ['PERSISTED_QUERY_NOT_FOUND', 'VALIDATION_FAILED'],
  ['PERSISTED_QUERY_NOT_SUPPORTED', 'VALIDATION_FAILED'],
]);

function codeOf(category: ErrorCategory): ErrorCode {
  switch (category) {
    case 'VALIDATION':
      return 'VALIDATION_FAILED';
    case 'UNAUTHENTICATED':
    case 'FORBIDDEN':
    case 'NOT_FOUND':
    case 'CONFLICT':
    case 'TOO_MANY_REQUESTS':
    case 'PAYLOAD_TOO_LARGE':
      return category;
  }
}

/** Reads an error that was thrown anywhere as one that may be shown; undefined where it is a fault of ours. */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof DomainError) {
    const { category, code: rule, field, message, params } = error;
    return new ApiError(codeOf(category), message, {
      ...(field !== undefined && { field }),
      rule,
      ...(Object.keys(params).length > 0 && { params }),
    });
  }
  if (
    error instanceof EventStoreUnavailableError ||
    error instanceof ConcurrencyError ||
    error instanceof KeyLostError ||
    isDatabaseAway(error)
  ) {
    return new ApiError('UNAVAILABLE', SOMETHING_WENT_WRONG);
  }
  return undefined;
}

/** An error that is thrown before the resolvers is taken for a fault of ours, unless it comes as GraphQL's. */
export function asGraphql(known: ApiError): GraphQLError {
  const seconds = known.details.params?.['seconds'];
  const headers = new HeaderMap(seconds === undefined ? [] : [['retry-after', String(seconds)]]);
  const http = { status: httpStatusOf(known.code), headers };
  return new GraphQLError(known.message, { originalError: known, extensions: { http } });
}

/**
 * Apollo unwraps what resolvers throw, not what happened before them: finding the session needs the database, too, and
 * a scalar's refusal lies two deep.
 */
function thrownOf(error: unknown): unknown {
  let thrown = unwrapResolverError(error);
  while (thrown instanceof GraphQLError && thrown.originalError) thrown = thrown.originalError;
  return thrown;
}

/** GraphQL gives up on variables with too many wrong values by an error of its own, which Apollo takes for a fault of ours. */
const isOfVariables = (thrown: unknown): boolean =>
  thrown instanceof GraphQLError && thrown.message.startsWith('Too many errors processing variables');

export type ReportFault = (error: unknown, path: string) => void;
export type CountError = (code: ErrorCode) => void;

/** The one place where an error becomes what the client sees: no stack, no wording of a library, a code from our list. */
export function errorFormatter(reportFault: ReportFault, count: CountError) {
  const format = shownError(reportFault);
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const { code, extensions, shown } = format(formatted, error);
    count(code);
    return { ...shown, extensions: { code, ...extensions } };
  };
}

interface Shown {
  readonly code: ErrorCode;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly shown: Pick<GraphQLFormattedError, 'message' | 'locations' | 'path'>;
}

function shownError(reportFault: ReportFault) {
  return (formatted: GraphQLFormattedError, error: unknown): Shown => {
    const thrown = thrownOf(error);
    const place = {
      ...(formatted.locations && { locations: formatted.locations }),
      ...(formatted.path && { path: formatted.path }),
    };
    const known = toApiError(thrown);
    if (known) {
      return {
        code: known.code,
        extensions: { ...known.details },
        shown: { message: known.message, ...place },
      };
    }
    const requestCode = isOfVariables(thrown)
      ? 'VALIDATION_FAILED'
      : REQUEST_ERRORS.get(String(formatted.extensions?.['code']));
    if (requestCode) {
      const rule = formatted.extensions?.['rule'];
      return {
        code: requestCode,
        extensions: rule === undefined ? {} : { rule },
        shown: { message: formatted.message, ...place },
      };
    }
    reportFault(thrown, formatted.path?.join('.') ?? '');
    // By this id the fault is found in the log.
    return {
      code: 'INTERNAL',
      extensions: { ...correlation.getStore() },
      shown: { message: SOMETHING_WENT_WRONG, ...place },
    };
  };
}

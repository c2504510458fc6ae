import { HeaderMap } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { DomainError, type ErrorCategory } from '@nimo/domain';
import { ConcurrencyError, EventStoreUnavailableError } from '@nimo/event-store';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '../database/open-database.js';
import { correlation, type Logger } from '../logging/logger.js';
import { KeyLostError } from '../personal-data/student-keys.js';
import { ApiError, type ErrorCode, httpStatusOf, SOMETHING_WENT_WRONG } from './api-error.js';
import type { Metrics } from '../operations/metrics.js';

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

/** The header by which a refusal says how long to wait, where it does. */
export function retryAfterOf({ details }: ApiError): Readonly<Record<string, string>> {
  const seconds = details.params?.['seconds'];
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}

/** An error that is thrown before the resolvers is taken for a fault of ours, unless it comes as GraphQL's. */
export function asGraphql(known: ApiError): GraphQLError {
  const headers = new HeaderMap(Object.entries(retryAfterOf(known)));
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

type ReportFault = (error: unknown, path: string) => void;
type CountError = (code: ErrorCode) => void;

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

const TOO_LARGE = 'The request is too large.';
const MALFORMED = 'The request is malformed.';

/** Whatever goes wrong over HTTP outside of a GraphQL execution, in the shape of a GraphQL error, so that clients know one shape. */
@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  catch(error: unknown, host: ArgumentsHost): unknown {
    // Resolvers throw through to `errorFormatter`.
    if (host.getType<'graphql' | 'http'>() === 'graphql') return error;
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const shown = toApiError(error) ?? fromStatus(error);
    if (shown.code === 'INTERNAL') {
      this.logger.error({ err: error, url: request.url.split('?')[0] });
    }
    const { code, details, message } = shown;
    this.metrics.errors.inc({ code });
    const reference = code === 'INTERNAL' ? correlation.getStore() : undefined;
    return (
      http
        .getResponse<FastifyReply>()
        .code(httpStatusOf(code))
        // The route may have promised a picture that never changes.
        .headers({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store',
          ...retryAfterOf(shown),
        })
        .send({ errors: [{ message, extensions: { code, ...details, ...reference } }] })
    );
  }
}

/** Fastify and Nest tell a fault of the request by its status. */
function fromStatus(error: unknown): ApiError {
  switch (statusOf(error)) {
    case 404:
      return new ApiError('NOT_FOUND', 'Not found.');
    case 413:
      return new ApiError('PAYLOAD_TOO_LARGE', TOO_LARGE, { rule: 'BODY_TOO_LARGE' });
    case 400:
    case 415:
      return new ApiError('VALIDATION_FAILED', MALFORMED, { rule: 'MALFORMED_REQUEST' });
    case 503:
      return new ApiError('UNAVAILABLE', SOMETHING_WENT_WRONG);
    default:
      return new ApiError('INTERNAL', SOMETHING_WENT_WRONG);
  }
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  if (typeof error === 'object' && error !== null && 'statusCode' in error) return Number(error.statusCode);
  return 500;
}

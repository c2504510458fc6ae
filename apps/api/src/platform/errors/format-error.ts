import { HeaderMap } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { DomainError, type ErrorCategory } from '@nimo/domain';
import { ConcurrencyError, EventStoreUnavailableError } from '@nimo/event-store';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable } from '../database/open-database.js';
import { correlation, type Logger } from '../logging/logger.js';
import { KeyLostError } from '../personal-data/student-keys.js';
import { ApiError, type ErrorCode, httpStatusOf, SOMETHING_WENT_WRONG } from './api-error.js';
import type { Metrics } from '../operations/metrics.js';

/** Apollo's codes for invalid requests. */
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

/** Converts a thrown error into one for clients; undefined for an internal error. */
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
    isDatabaseUnavailable(error)
  ) {
    return new ApiError('UNAVAILABLE', SOMETHING_WENT_WRONG);
  }
  return undefined;
}

/** The `Retry-After` header, if the error states a wait. */
export function retryAfterOf({ details }: ApiError): Readonly<Record<string, string>> {
  const seconds = details.params?.['seconds'];
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}

/** Wraps an error thrown before the resolvers, which Apollo otherwise treats as internal. */
export function toGraphqlError(known: ApiError): GraphQLError {
  const headers = new HeaderMap(Object.entries(retryAfterOf(known)));
  const http = { status: httpStatusOf(known.code), headers };
  return new GraphQLError(known.message, { originalError: known, extensions: { http } });
}

/**
 * Unwraps nested GraphQL errors. Apollo unwraps only errors of resolvers, not those from creating the context or from scalars, which are
 * nested twice.
 */
function unwrap(error: unknown): unknown {
  let thrown = unwrapResolverError(error);
  while (thrown instanceof GraphQLError && thrown.originalError) thrown = thrown.originalError;
  return thrown;
}

/** graphql-js reports too many invalid variables with an error that Apollo treats as internal. */
const isVariablesError = (thrown: unknown): boolean =>
  thrown instanceof GraphQLError && thrown.message.startsWith('Too many errors processing variables');

type ReportFault = (error: unknown, path: string) => void;
type CountError = (code: ErrorCode) => void;

/** Formats every GraphQL error for clients: no stack, no library wording, a code from `ErrorCode`. */
export function errorFormatter(reportFault: ReportFault, count: CountError) {
  const format = createFormatter(reportFault);
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const { code, extensions, shown } = format(formatted, error);
    count(code);
    return { ...shown, extensions: { code, ...extensions } };
  };
}

interface FormattedError {
  readonly code: ErrorCode;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly shown: Pick<GraphQLFormattedError, 'message' | 'locations' | 'path'>;
}

function createFormatter(reportFault: ReportFault) {
  return (formatted: GraphQLFormattedError, error: unknown): FormattedError => {
    const thrown = unwrap(error);
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
    const requestCode = isVariablesError(thrown)
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
    // The correlation id leads to the log entry.
    return {
      code: 'INTERNAL',
      extensions: { ...correlation.getStore() },
      shown: { message: SOMETHING_WENT_WRONG, ...place },
    };
  };
}

const TOO_LARGE = 'The request is too large.';
const MALFORMED = 'The request is malformed.';

/** Formats HTTP errors outside GraphQL execution like GraphQL errors, so that clients handle one shape. */
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
        // The route may have set immutable image headers.
        .headers({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store',
          ...retryAfterOf(shown),
        })
        .send({ errors: [{ message, extensions: { code, ...details, ...reference } }] })
    );
  }
}

/** Maps errors of Fastify and Nest by status. */
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

import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../logging/logger.js';
import { correlation } from '../logging/correlation.js';
import type { Metrics } from '../operations/metrics.js';
import { ApiError, httpStatusOf, SOMETHING_WENT_WRONG } from './api-error.js';
import { toApiError } from './format-error.js';

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
    const seconds = details.params?.['seconds'];
    const reference = code === 'INTERNAL' ? correlation.getStore() : undefined;
    return (
      http
        .getResponse<FastifyReply>()
        .code(httpStatusOf(code))
        // The route may have promised a picture that never changes.
        .headers({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store',
          ...(seconds !== undefined && { 'retry-after': String(seconds) }),
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

import { HeaderMap } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { httpStatusOf } from '../errors/api-error.js';
import { toApiError } from '../errors/format-error.js';

/** An error of ours that is thrown before the resolvers is taken for a fault, unless it comes as GraphQL's. */
export function asGraphql(error: unknown): unknown {
  const known = toApiError(error);
  if (!known) return error;
  const seconds = known.details.params?.['seconds'];
  const headers = new HeaderMap(seconds === undefined ? [] : [['retry-after', String(seconds)]]);
  const http = { status: httpStatusOf(known.code), headers };
  return new GraphQLError(known.message, { originalError: known, extensions: { http } });
}

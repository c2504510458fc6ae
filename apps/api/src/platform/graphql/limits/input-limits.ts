import type { ApolloServerPlugin } from '@apollo/server';
import { MAX_BODY_BYTES, MAX_CASE_VOTES } from '@nimo/domain';
import type { FastifyInstance } from 'fastify';
import { GraphQLError, Kind, visit, type DocumentNode } from 'graphql';
import { ApiError } from '../../errors/api-error.js';

const PATH = '/graphql';
const POST_ONLY = {
  errors: [
    {
      message: 'Send GraphQL requests by POST: URLs end up in browser histories and logs.',
      extensions: { code: 'VALIDATION_FAILED', rule: 'POST_ONLY' },
    },
  ],
};

/** Passwords and tokens are arguments: they must not appear in a URL, and responses must not be cached. */
export function requirePost(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.url !== PATH) {
      done();
      return;
    }
    void reply.header('cache-control', 'no-store');
    if (request.method === 'POST') done();
    else void reply.code(405).header('allow', 'POST').send(POST_ONLY);
  });
}

/** PostgreSQL rejects NUL, and half of a surrogate pair is not a character. */
const UNREADABLE = /\0|\p{Surrogate}/u;

/** Twice the longest text any field accepts. */
const MAX_TEXT_LENGTH = 2 * MAX_BODY_BYTES;
/** Twice the longest list any field accepts. */
const MAX_LIST_LENGTH = 2 * MAX_CASE_VOTES;
const MAX_INPUT_DEPTH = 12;

interface Problem {
  readonly field: string;
  readonly rule: 'TEXT_UNREADABLE' | 'TEXT_TOO_LONG' | 'LIST_TOO_LONG' | 'INPUT_TOO_DEEP';
}

/**
 * Rejects input that no field accepts before any resolver runs: unstorable characters, and texts, lists and nesting beyond every limit.
 */
export const inputLimitsPlugin: ApolloServerPlugin = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation({ request, document, source }) {
        const problem = problemOfVariable(request.variables ?? {}) ?? problemOfLiterals(document, source);
        return problem === undefined ? Promise.resolve() : Promise.reject(refusal(problem));
      },
    }),
};

function messageOf({ field, rule }: Problem): string {
  switch (rule) {
    case 'TEXT_UNREADABLE':
      return `${field} contains invalid characters.`;
    case 'TEXT_TOO_LONG':
      return `${field} is too long: at most ${MAX_TEXT_LENGTH} characters.`;
    case 'LIST_TOO_LONG':
      return `${field} has too many entries: at most ${MAX_LIST_LENGTH}.`;
    case 'INPUT_TOO_DEEP':
      return `${field} is nested too deeply.`;
  }
}

function refusal(problem: Problem): GraphQLError {
  const originalError = new ApiError('VALIDATION_FAILED', messageOf(problem), { ...problem });
  return new GraphQLError(originalError.message, { originalError, extensions: { http: { status: 400 } } });
}

function problemOfText(value: string, field: string): Problem | undefined {
  if (value.length > MAX_TEXT_LENGTH) return { field, rule: 'TEXT_TOO_LONG' };
  return UNREADABLE.test(value) ? { field, rule: 'TEXT_UNREADABLE' } : undefined;
}

/** Reports the innermost input field that holds the problem. */
function problemOfVariable(value: unknown, field = 'variables', depth = 0): Problem | undefined {
  if (typeof value === 'string') return problemOfText(value, field);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_INPUT_DEPTH) return { field, rule: 'INPUT_TOO_DEEP' };
  const entries = Object.entries(value);
  if (entries.length > MAX_LIST_LENGTH) return { field, rule: 'LIST_TOO_LONG' };
  for (const [key, inner] of entries) {
    const found = problemOfVariable(inner, Array.isArray(value) ? field : key, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Documents already checked. */
const checked = new WeakSet<DocumentNode>();

function problemOfLiterals(document: DocumentNode, source: string): Problem | undefined {
  if (checked.has(document)) return undefined;
  const problem = findProblemInLiterals(document, source);
  if (!problem) checked.add(document);
  return problem;
}

function findProblemInLiterals(document: DocumentNode, source: string): Problem | undefined {
  // Without an escape, literals hold only characters already in the source.
  const isShort = source.length <= MAX_TEXT_LENGTH;
  if (isShort && !source.includes('\\') && !UNREADABLE.test(source)) return undefined;
  let problem: Problem | undefined;
  let field = 'value';
  visit(document, {
    enter(node) {
      if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) field = node.name.value;
      if (node.kind === Kind.STRING) problem ??= problemOfText(node.value, field);
    },
  });
  return problem;
}

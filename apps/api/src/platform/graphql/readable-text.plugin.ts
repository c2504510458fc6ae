import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, Kind, visit, type DocumentNode } from 'graphql';
import { ApiError } from '../errors/api-error.js';

/** No database keeps NUL in a text, and half of a surrogate pair is no character at all. */
const UNREADABLE = /\0|\p{Surrogate}/u;

/** Refuses such text before any resolver sees it: no rule of a field would tell it from something that can be stored. */
export const readableTextPlugin: ApolloServerPlugin = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation({ request, document, source }) {
        const field = unreadableVariable(request.variables ?? {}) ?? unreadableLiteral(document, source);
        return field === undefined ? Promise.resolve() : Promise.reject(unreadable(field));
      },
    }),
};

function unreadable(field: string): GraphQLError {
  const rule = 'TEXT_UNREADABLE';
  const originalError = new ApiError('VALIDATION_FAILED', `${field} holds something that is no text.`, {
    field,
    rule,
  });
  return new GraphQLError(originalError.message, { originalError, extensions: { http: { status: 400 } } });
}

/** The name of the innermost input that holds such text. */
function unreadableVariable(value: unknown, name = 'variables'): string | undefined {
  if (typeof value === 'string') return UNREADABLE.test(value) ? name : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = unreadableVariable(inner, Array.isArray(value) ? name : key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unreadableLiteral(document: DocumentNode, source: string): string | undefined {
  // Without an escape there is nothing but what JSON let through.
  if (!source.includes('\\') && !UNREADABLE.test(source)) return undefined;
  let name: string | undefined;
  let field = 'value';
  visit(document, {
    enter(node) {
      if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) field = node.name.value;
      if (node.kind === Kind.STRING && UNREADABLE.test(node.value)) name ??= field;
    },
  });
  return name;
}

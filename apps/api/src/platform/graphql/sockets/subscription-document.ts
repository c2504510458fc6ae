import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { tagTokenLimitError, PARSE_OPTIONS } from '../documents/untrusted-documents.js';

const invalid = ({ message, nodes, extensions }: GraphQLError): GraphQLError =>
  new GraphQLError(message, {
    ...(nodes && { nodes }),
    extensions: { ...extensions, code: 'GRAPHQL_VALIDATION_FAILED' },
  });

/** Parses and validates a document from a socket as Apollo does for requests. */
export function readSubscription(
  schema: GraphQLSchema,
  source: string,
  isProduction: boolean,
): { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] } {
  try {
    const document = parse(source, PARSE_OPTIONS);
    const rules = isProduction ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules;
    const errors = validate(schema, document, rules, { hideSuggestions: isProduction });
    return errors.length > 0 ? { errors: errors.map(invalid) } : { document };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    tagTokenLimitError(error);
    return { errors: [invalid(error)] };
  }
}

/** Queries and mutations go over HTTP, with its limits and idempotency keys. */
export function assertSubscription(operation: OperationDefinitionNode): void {
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) return;
  throw new GraphQLError('This endpoint accepts only subscriptions.', {
    nodes: operation,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', rule: 'SUBSCRIPTIONS_ONLY' },
  });
}

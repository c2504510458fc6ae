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
import { nameTokenLimit, PARSE_OPTIONS } from '../documents/foreign-documents.js';

const invalid = ({ message, nodes, extensions }: GraphQLError): GraphQLError =>
  new GraphQLError(message, {
    ...(nodes && { nodes }),
    extensions: { ...extensions, code: 'GRAPHQL_VALIDATION_FAILED' },
  });

/** The document that came over a socket, parsed and validated as Apollo does with those of requests; or what is wrong with it. */
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
    nameTokenLimit(error);
    return { errors: [invalid(error)] };
  }
}

/** Queries and mutations go over HTTP, where a request has its limits and its idempotency key. */
export function assertSubscription(operation: OperationDefinitionNode): void {
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) return;
  throw new GraphQLError('Only subscriptions are answered here.', {
    nodes: operation,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', rule: 'SUBSCRIPTIONS_ONLY' },
  });
}

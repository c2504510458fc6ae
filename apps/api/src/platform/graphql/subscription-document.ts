import {
  GraphQLError,
  OperationTypeNode,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  type ASTVisitor,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationContext,
} from 'graphql';
import { problemOfDocument } from './document-shape.js';
import { QUERY_LIMITS, queryLimitsRule } from './query-limits.rule.js';

export type ReadSubscription =
  | { readonly document: DocumentNode }
  | { readonly errors: readonly GraphQLError[] };

const refused = (error: GraphQLError): GraphQLError =>
  new GraphQLError(error.message, {
    ...(error.nodes && { nodes: error.nodes }),
    extensions: { ...error.extensions, code: 'GRAPHQL_VALIDATION_FAILED' },
  });

/** Queries and mutations go over HTTP, where a request has its limits and its idempotency key. */
function subscriptionsOnlyRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (node.operation === OperationTypeNode.SUBSCRIPTION) return;
      context.reportError(
        new GraphQLError('Only subscriptions are answered here.', {
          nodes: node,
          extensions: { rule: 'SUBSCRIPTIONS_ONLY' },
        }),
      );
    },
  };
}

/** A document that came over a socket, held to what Apollo holds requests to. */
export function readSubscription(
  schema: GraphQLSchema,
  source: string,
  isProduction: boolean,
): ReadSubscription {
  try {
    const problem = problemOfDocument(source);
    if (problem) return { errors: [refused(problem)] };
    const document = parse(source, { maxLexicalTokens: QUERY_LIMITS.tokens });
    const rules = [...specifiedRules, queryLimitsRule, subscriptionsOnlyRule];
    const errors = validate(
      schema,
      document,
      isProduction ? [...rules, NoSchemaIntrospectionCustomRule] : rules,
      { hideSuggestions: isProduction },
    );
    return errors.length > 0 ? { errors: errors.map(refused) } : { document };
  } catch (error) {
    // The parser alone throws, and nothing but this.
    return { errors: [refused(error as GraphQLError)] };
  }
}

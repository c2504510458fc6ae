import {
  GraphQLError,
  Kind,
  type ASTVisitor,
  type DocumentNode,
  type OperationDefinitionNode,
  type ValidationContext,
} from 'graphql';
import { weightOf, type Weight } from './document-weight.js';

const MEBIBYTE = 1024 * 1024;

export const QUERY_LIMITS = {
  depth: 10,
  /** Fields that one answer may hold, and what its operations cost besides. */
  cost: 50_000,
  /** Of one answer; asked of the document before anything is read, and of the answer once it is there. */
  bytes: 16 * MEBIBYTE,
  /** Aliases must not turn one request into a hundred log-ins or votes. */
  rootFields: { query: 20, mutation: 5, subscription: 1 },
  tokens: 2_000,
} as const;

/** As `extensions.rule` names them, and the metrics. */
export const BUDGET_RULES: ReadonlySet<string> = new Set([
  'QUERY_TOO_WIDE',
  'QUERY_TOO_DEEP',
  'QUERY_TOO_COSTLY',
  'ANSWER_TOO_LARGE',
  'ANSWERS_AT_ONCE',
]);

const refusal = (message: string, rule: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', rule, http: { status: 400 } } });

const tooComplex = (what: string): GraphQLError =>
  refusal(`The query is too ${what}.`, `QUERY_TOO_${what.toUpperCase()}`);

/** The shape of a document, once per document as validated ones are cached. What it costs depends on its variables, too. */
export function queryLimitsRule(context: ValidationContext): ASTVisitor {
  return {
    Document: {
      leave(document: DocumentNode) {
        for (const definition of document.definitions) {
          if (definition.kind === Kind.OPERATION_DEFINITION) checkShape(definition, document, context);
        }
      },
    },
  };
}

function checkShape(
  operation: OperationDefinitionNode,
  document: DocumentNode,
  context: ValidationContext,
): void {
  const { width, depth } = weightOf(context.getSchema(), document, operation);
  if (width > QUERY_LIMITS.rootFields[operation.operation]) context.reportError(tooComplex('wide'));
  if (depth > QUERY_LIMITS.depth) context.reportError(tooComplex('deep'));
}

/** Why an operation is not begun. */
export function overBudget({ cost, bytes }: Weight): GraphQLError | undefined {
  if (cost > QUERY_LIMITS.cost) {
    const message = `The query is too costly: ${cost} of at most ${QUERY_LIMITS.cost}. Ask for fewer fields, entries or operations.`;
    return refusal(message, 'QUERY_TOO_COSTLY');
  }
  return bytes > QUERY_LIMITS.bytes ? refusal(TOO_LARGE, 'ANSWER_TOO_LARGE') : undefined;
}

const TOO_LARGE = `The answer would be too large: at most ${QUERY_LIMITS.bytes / MEBIBYTE} MB. Ask for fewer entries or fields.`;

/** In the place of an answer that turned out larger than anything its document said. */
export const ANSWER_TOO_LARGE = refusal(TOO_LARGE, 'ANSWER_TOO_LARGE');

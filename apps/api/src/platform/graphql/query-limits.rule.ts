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
  /** Names, signs and values: six times those of the longest document of the web app. */
  tokens: 1_000,
  lines: 1_000,
  /** Brackets of any kind in each other. */
  nesting: 32,
} as const;

/** As `extensions.rule` names them, and the metrics. */
export const BUDGET_RULES: ReadonlySet<string> = new Set([
  'QUERY_TOO_WIDE',
  'QUERY_TOO_DEEP',
  'QUERY_TOO_LONG',
  'QUERY_TOO_COSTLY',
  'ANSWER_TOO_LARGE',
  'ANSWERS_AT_ONCE',
  'READINGS_AT_ONCE',
  'SUBSCRIPTIONS_AT_ONCE',
]);

const refusal = (message: string, rule: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', rule, http: { status: 400 } } });

const tooWide = (most: number): GraphQLError =>
  refusal(`The query is too wide: at most ${most} fields of the first level.`, 'QUERY_TOO_WIDE');

export function tooDeep(what: 'depth' | 'nesting'): GraphQLError {
  const levels = what === 'depth' ? 'levels of fields' : 'brackets in each other';
  return refusal(`The query is too deep: at most ${QUERY_LIMITS[what]} ${levels}.`, 'QUERY_TOO_DEEP');
}

export const tooLong = (what: 'lines' | 'tokens'): GraphQLError =>
  refusal(
    `The query is too long: at most ${QUERY_LIMITS[what]} ${what}. Send texts and lists as variables.`,
    'QUERY_TOO_LONG',
  );

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
  const widest = QUERY_LIMITS.rootFields[operation.operation];
  if (width > widest) context.reportError(tooWide(widest));
  if (depth > QUERY_LIMITS.depth) context.reportError(tooDeep('depth'));
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

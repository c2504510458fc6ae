import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import {
  getNullableType,
  GraphQLError,
  isListType,
  validate,
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { getComplexity, type ComplexityEstimator } from 'graphql-query-complexity';
import { MAX_PAGE_SIZE } from '../page.js';

/** Limits of an untrusted document: one neither registered nor part of the web app. */
export const DOCUMENT_LIMITS = {
  depth: 10,
  /** Keeps one request from becoming a hundred logins or votes. */
  aliases: 5,
  /** Lexer tokens; six times the longest document of the web app. */
  tokens: 1_000,
  /** graphql-js counts the lines again for every error. */
  lines: 1_000,
  /** Fields the response may contain. */
  cost: 50_000,
} as const;

const refusal = (message: string, rule: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', rule, http: { status: 400 } } });

function refuse(message: string, rule: string): never {
  throw refusal(message, rule);
}

const SHAPE_RULES = [
  maxDepthRule({
    n: DOCUMENT_LIMITS.depth,
    flattenFragments: true,
    onReject: [
      () =>
        refuse(`The query is too deep: at most ${DOCUMENT_LIMITS.depth} levels of fields.`, 'QUERY_TOO_DEEP'),
    ],
  }),
  maxAliasesRule({
    n: DOCUMENT_LIMITS.aliases,
    allowList: [],
    onReject: [
      () => refuse(`The query is too wide: at most ${DOCUMENT_LIMITS.aliases} aliases.`, 'QUERY_TOO_WIDE'),
    ],
  }),
];

/**
 * Number of fields the response to a valid untrusted document may contain.
 *
 * @throws GraphQLError when the document exceeds a limit
 */
export function untrustedDocumentCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>> = {},
): number {
  validate(schema, document, SHAPE_RULES);
  const cost = complexityOf(schema, document, operation, variables);
  if (cost <= DOCUMENT_LIMITS.cost) return cost;
  const message = `The query is too costly: at most ${DOCUMENT_LIMITS.cost} fields. Ask for fewer fields or entries.`;
  throw refusal(message, 'QUERY_TOO_COSTLY');
}

function complexityOf(
  schema: GraphQLSchema,
  query: DocumentNode,
  { name }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const operationName = name && { operationName: name.value };
  try {
    return getComplexity({ schema, query, variables, ...operationName, estimators: [fieldCost] });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    // Fragments that spread each other twice amount to 2 ** 60 fields. Any other error concerns variables, which the executor reports.
    return error.message.includes('maximum allowed number of nodes') ? Infinity : 0;
  }
}

const fieldCost: ComplexityEstimator = ({ field, args, childComplexity }) =>
  1 + childComplexity * entriesOf(field, args);

/** Arguments that set a page's size, and the lists that hold its entries. */
const SIZE_ARGUMENTS: ReadonlySet<string> = new Set(['paginateOptions', 'limit', 'first']);
const PAGE_LISTS: ReadonlySet<string> = new Set(['docs', 'hits', 'nodes']);
/** No page is larger: resolvers reject larger sizes. */
const MAX_ENTRIES = 1_000;
/** Assumed length of a list without a size argument. */
const LIST_ENTRIES = 10;

function entriesOf(field: GraphQLField<unknown, unknown>, args: Readonly<Record<string, unknown>>): number {
  const size = field.args.find(({ name }) => SIZE_ARGUMENTS.has(name));
  if (size) return pageSizeOf(args[size.name]);
  const isList = isListType(getNullableType(field.type)) && !PAGE_LISTS.has(field.name);
  return isList ? LIST_ENTRIES : 1;
}

function pageSizeOf(value: unknown): number {
  const size = typeof value === 'object' && value !== null && 'limit' in value ? value.limit : value;
  return typeof size === 'number' ? Math.min(Math.max(size, 1), MAX_ENTRIES) : MAX_PAGE_SIZE;
}

/** @throws GraphQLError when an untrusted document has too many lines; the parser limits its tokens */
export function assertLineLimit(source: string): void {
  if (source.split(/\r\n|\n|\r/, DOCUMENT_LIMITS.lines + 1).length > DOCUMENT_LIMITS.lines)
    refuse(`The query is too long: at most ${DOCUMENT_LIMITS.lines} lines.`, 'QUERY_TOO_LONG');
}

/** Used for every document. */
export const PARSE_OPTIONS = { maxLexicalTokens: DOCUMENT_LIMITS.tokens } as const;

/** Adds the rule to the parser's token limit error, which has only a message. */
export function tagTokenLimitError(error: unknown): void {
  if (error instanceof GraphQLError && /Document contains more that \d+ tokens/.test(error.message))
    error.extensions['rule'] = 'QUERY_TOO_LONG';
}

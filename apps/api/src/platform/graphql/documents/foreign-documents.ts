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

/** Limits of a foreign document: one that is neither the web app's own nor registered. Those are trusted in shape. */
export const DOCUMENT_LIMITS = {
  depth: 10,
  /** Aliases must not turn one request into a hundred log-ins or votes. */
  aliases: 5,
  /** Names, signs and values: six times those of the longest document of the web app. */
  tokens: 1_000,
  /** Each error of a document counts its lines again. */
  lines: 1_000,
  /** Fields that the answer may hold. */
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
 * Fields that the answer to a valid foreign document may hold.
 *
 * @throws GraphQLError where the document asks for too much
 */
export function costOfForeign(
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
    // Fragments that spread each other twice come to 2 ** 60 fields. Any other error is one of the variables, which the executor reports.
    return error.message.includes('maximum allowed number of nodes') ? Infinity : 0;
  }
}

const fieldCost: ComplexityEstimator = ({ field, args, childComplexity }) =>
  1 + childComplexity * entriesOf(field, args);

/** The arguments that give the size of a page, and the lists that hold its entries, which are counted by that size. */
const SIZE_ARGUMENTS: ReadonlySet<string> = new Set(['paginateOptions', 'limit', 'first']);
const PAGE_LISTS: ReadonlySet<string> = new Set(['docs', 'hits', 'nodes']);
/** No page is larger; a larger size is refused by the resolver. */
const MAX_ENTRIES = 1_000;
/** Entries of a list that takes no size. */
const LIST_ENTRIES = 10;

function entriesOf(field: GraphQLField<unknown, unknown>, args: Readonly<Record<string, unknown>>): number {
  const size = field.args.find(({ name }) => SIZE_ARGUMENTS.has(name));
  if (size) return sizeGiven(args[size.name]);
  const isList = isListType(getNullableType(field.type)) && !PAGE_LISTS.has(field.name);
  return isList ? LIST_ENTRIES : 1;
}

function sizeGiven(given: unknown): number {
  const size = typeof given === 'object' && given !== null && 'limit' in given ? given.limit : given;
  return typeof size === 'number' ? Math.min(Math.max(size, 1), MAX_ENTRIES) : MAX_PAGE_SIZE;
}

/** @throws GraphQLError where a foreign text is not to be parsed; the parser itself counts its tokens */
export function assertFewLines(source: string): void {
  if (source.split(/\r\n|\n|\r/, DOCUMENT_LIMITS.lines + 1).length > DOCUMENT_LIMITS.lines)
    refuse(`The query is too long: at most ${DOCUMENT_LIMITS.lines} lines.`, 'QUERY_TOO_LONG');
}

/** Every text is parsed with it. */
export const PARSE_OPTIONS = { maxLexicalTokens: DOCUMENT_LIMITS.tokens } as const;

/** Names the rule by which the parser stopped, which it tells in words only. */
export function nameTokenLimit(error: unknown): void {
  if (error instanceof GraphQLError && /Document contains more that \d+ tokens/.test(error.message))
    error.extensions['rule'] = 'QUERY_TOO_LONG';
}

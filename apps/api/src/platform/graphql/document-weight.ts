import {
  Kind,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  valueFromAST,
  valueFromASTUntyped,
  visit,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import {
  FIELD_BYTES,
  LARGER_PAGES,
  LIST_SIZES,
  LONG_TEXTS,
  MUTATION_COST,
  OPERATION_COSTS,
  PAGE_ARGUMENTS,
  PAGE_LISTS,
  QUERY_COST,
} from './list-sizes.js';
import { LARGEST_PAGE } from './page.js';

export type Variables = Readonly<Record<string, unknown>>;

export interface Weight {
  /** Operations of the first level. */
  readonly width: number;
  readonly depth: number;
  /** Fields that the answer may hold, and what the operations cost besides. */
  readonly cost: number;
  /** Bytes that the answer may hold. */
  readonly bytes: number;
}

const NOTHING: Weight = { width: 0, depth: 0, cost: 0, bytes: 0 };

/**
 * What an operation asks for at most, before anything is read: every list multiplies what is in it, by the limit that was asked for
 * where it is a page. Aliases and fragments count as often as they stand there.
 */
export function weightOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables = {},
): Weight {
  const type = schema.getRootType(operation.operation);
  if (!type) return NOTHING;
  const weigher = new Weigher(schema, fragmentsOf(document), withDefaults(operation, variables));
  return weigher.weigh(operation.selectionSet, type, LARGEST_PAGE);
}

interface KnownWeights {
  readonly schema: GraphQLSchema;
  /** What its sizes are asked for by. */
  readonly variables: readonly string[];
  readonly bySizes: Map<string, Weight>;
}

/** By operation; a document that is sent again is the same one (`KnownDocuments`). */
const known = new WeakMap<OperationDefinitionNode, KnownWeights>();
const WEIGHTS_OF_ONE = 64;
const SIZES_LENGTH = 256;

/** As `weightOf`, found once for an operation and what it was given as sizes. */
export function knownWeightOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables = {},
): Weight {
  let weights = known.get(operation);
  if (weights?.schema !== schema) {
    weights = { schema, variables: variablesOfSizes(document), bySizes: new Map() };
    known.set(operation, weights);
  }
  const sizes = JSON.stringify(weights.variables.map((name) => givenAs(variables[name])));
  const found = weights.bySizes.get(sizes);
  if (found) return found;
  const weight = weightOf(schema, document, operation, variables);
  if (sizes.length > SIZES_LENGTH) return weight;
  if (weights.bySizes.size >= WEIGHTS_OF_ONE) weights.bySizes.clear();
  weights.bySizes.set(sizes, weight);
  return weight;
}

/** What is not given has its default, and null has none. */
const givenAs = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value]);

/** The variables in arguments that may be a size. */
function variablesOfSizes(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Argument(node) {
      if (!PAGE_ARGUMENTS.some((name) => name === node.name.value)) return undefined;
      visit(node, { Variable: ({ name }) => void names.add(name.value) });
      return undefined;
    },
  });
  return [...names];
}

const fragmentsOf = (document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );

function withDefaults({ variableDefinitions }: OperationDefinitionNode, variables: Variables): Variables {
  const defaults = (variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  );
  const given = Object.entries(variables).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...defaults, ...given]);
}

class Weigher {
  /** Per fragment and page size: spread twice by each of many others, weighing it anew would double the work each time. */
  private readonly known = new Map<string, Weight>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly variables: Variables,
  ) {}

  /** @param page how many entries the lists of a page hold whose selection this is */
  weigh(selectionSet: SelectionSetNode, parent: GraphQLNamedType | undefined, page: number): Weight {
    const weights = selectionSet.selections.map((selection) => this.weighSelection(selection, parent, page));
    return {
      width: weights.reduce((sum, { width }) => sum + width, 0),
      depth: weights.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
      cost: weights.reduce((sum, { cost }) => sum + cost, 0),
      bytes: weights.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  private weighSelection(
    selection: SelectionNode,
    parent: GraphQLNamedType | undefined,
    page: number,
  ): Weight {
    switch (selection.kind) {
      case Kind.FIELD:
        return this.weighField(selection, parent, page);
      case Kind.INLINE_FRAGMENT: {
        const { typeCondition, selectionSet } = selection;
        const type = typeCondition ? this.schema.getType(typeCondition.name.value) : parent;
        return this.weigh(selectionSet, type, page);
      }
      case Kind.FRAGMENT_SPREAD:
        return this.weighFragment(selection.name.value, page);
    }
  }

  private weighField(node: FieldNode, parent: GraphQLNamedType | undefined, page: number): Weight {
    const { name, selectionSet } = node;
    const hasFields = isObjectType(parent) || isInterfaceType(parent);
    const field = hasFields ? parent.getFields()[name.value] : undefined;
    const place = `${parent?.name ?? ''}.${name.value}`;
    const own = this.costOfOperation(parent, name.value);
    const times = field && isListType(getNullableType(field.type)) ? entriesOf(place, name.value, page) : 1;
    if (!selectionSet) {
      const bytes = (LONG_TEXTS[place] ?? FIELD_BYTES) * times;
      return { width: 1, depth: 1, cost: own + times, bytes };
    }
    const inner = this.weigh(
      selectionSet,
      field && getNamedType(field.type),
      field ? this.limitOf(field, node) : LARGEST_PAGE,
    );
    return {
      width: 1,
      depth: inner.depth + 1,
      cost: own + 1 + inner.cost * times,
      bytes: FIELD_BYTES + inner.bytes * times,
    };
  }

  private costOfOperation(parent: GraphQLNamedType | undefined, name: string): number {
    if (!parent) return 0;
    if (parent === this.schema.getMutationType()) {
      return Math.max(MUTATION_COST, OPERATION_COSTS[name] ?? 0);
    }
    const isQuery = parent === this.schema.getQueryType() && !name.startsWith('__');
    return isQuery ? (OPERATION_COSTS[name] ?? QUERY_COST) : 0;
  }

  /** What the resolver will take for the limit; one that it refuses reads nothing, however large it is. */
  private limitOf(field: GraphQLField<unknown, unknown>, node: FieldNode): number {
    const largest = LARGER_PAGES[field.name] ?? LARGEST_PAGE;
    for (const name of PAGE_ARGUMENTS) {
      const argument = field.args.find((known) => known.name === name);
      if (!argument) continue;
      const given = node.arguments?.find((known) => known.name.value === name);
      const value: unknown = given
        ? valueFromAST(given.value, argument.type, this.variables)
        : argument.defaultValue;
      const limit = typeof value === 'object' && value !== null && 'limit' in value ? value.limit : value;
      if (typeof limit === 'number') return Math.min(Math.max(Math.ceil(limit), 1), largest);
    }
    return LARGEST_PAGE;
  }

  private weighFragment(name: string, page: number): Weight {
    const key = `${page} ${name}`;
    const known = this.known.get(key);
    if (known) return known;
    const fragment = this.fragments.get(name);
    if (!fragment) return NOTHING;
    // A cycle is no document: another rule says so.
    this.known.set(key, NOTHING);
    const type = this.schema.getType(fragment.typeCondition.name.value);
    const weight = this.weigh(fragment.selectionSet, type, page);
    this.known.set(key, weight);
    return weight;
  }
}

const entriesOf = (place: string, name: string, page: number): number =>
  LIST_SIZES[place] ?? (PAGE_LISTS.has(name) ? page : LARGEST_PAGE);

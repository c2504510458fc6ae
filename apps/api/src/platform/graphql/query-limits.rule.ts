import {
  GraphQLError,
  Kind,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

export const QUERY_LIMITS = {
  depth: 10,
  /** Fields that one answer may hold when every list has `expectedListSize` entries. */
  cost: 25_000,
  expectedListSize: 20,
  /** Aliases must not turn one request into a hundred log-ins or votes. */
  rootFields: { query: 20, mutation: 5, subscription: 1 },
  tokens: 2_000,
} as const;

interface Weight {
  /** Fields of the first level. */
  readonly width: number;
  readonly depth: number;
  readonly cost: number;
}

const NOTHING: Weight = { width: 0, depth: 0, cost: 0 };

const tooComplex = (what: string): GraphQLError =>
  new GraphQLError(`The query is too ${what}.`, {
    extensions: { code: 'VALIDATION_FAILED', rule: `QUERY_TOO_${what.toUpperCase()}` },
  });

/**
 * Depth and cost of a document, once per document as validated ones are cached. Depends on nothing but the text: page sizes come
 * as variables and are checked where they are used.
 */
export function queryLimitsRule(context: ValidationContext): ASTVisitor {
  return {
    Document: {
      leave(document: DocumentNode) {
        for (const definition of document.definitions) {
          if (definition.kind === Kind.OPERATION_DEFINITION) checkOperation(definition, context);
        }
      },
    },
  };
}

function checkOperation(operation: OperationDefinitionNode, context: ValidationContext): void {
  const type = context.getSchema().getRootType(operation.operation);
  if (!type) return;
  const { width, depth, cost } = new Weigher(context).weigh(operation.selectionSet, type);
  if (width > QUERY_LIMITS.rootFields[operation.operation]) context.reportError(tooComplex('wide'));
  if (depth > QUERY_LIMITS.depth) context.reportError(tooComplex('deep'));
  if (cost > QUERY_LIMITS.cost) context.reportError(tooComplex('costly'));
}

class Weigher {
  /** Per fragment: spread twice by each of many others, weighing it anew would double the work each time. */
  private readonly fragments = new Map<string, Weight>();

  constructor(private readonly context: ValidationContext) {}

  weigh(selectionSet: SelectionSetNode, parent: GraphQLObjectType | undefined): Weight {
    const weights = selectionSet.selections.map((selection) => this.weighSelection(selection, parent));
    return {
      width: weights.reduce((sum, { width }) => sum + width, 0),
      depth: weights.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
      cost: weights.reduce((sum, { cost }) => sum + cost, 0),
    };
  }

  private weighSelection(selection: SelectionNode, parent: GraphQLObjectType | undefined): Weight {
    switch (selection.kind) {
      case Kind.FIELD:
        return this.weighField(selection, parent);
      case Kind.INLINE_FRAGMENT:
        return this.weigh(selection.selectionSet, parent);
      case Kind.FRAGMENT_SPREAD:
        return this.weighFragment(selection.name.value, parent);
    }
  }

  private weighField({ name, selectionSet }: FieldNode, parent: GraphQLObjectType | undefined): Weight {
    if (!selectionSet) return { width: 1, depth: 1, cost: 1 };
    const type = parent?.getFields()[name.value]?.type;
    const named = type && getNamedType(type);
    const inner = this.weigh(selectionSet, isObjectType(named) ? named : undefined);
    const times = type && isListType(getNullableType(type)) ? QUERY_LIMITS.expectedListSize : 1;
    return { width: 1, depth: inner.depth + 1, cost: 1 + inner.cost * times };
  }

  private weighFragment(name: string, parent: GraphQLObjectType | undefined): Weight {
    const known = this.fragments.get(name);
    if (known) return known;
    const fragment = this.context.getFragment(name);
    if (!fragment) return NOTHING;
    this.fragments.set(name, NOTHING);
    const weight = this.weigh(fragment.selectionSet, parent);
    this.fragments.set(name, weight);
    return weight;
  }
}

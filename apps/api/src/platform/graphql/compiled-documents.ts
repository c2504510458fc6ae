import {
  execute,
  getVariableValues,
  GraphQLError,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SourceLocation,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';

export interface Asked {
  readonly document: DocumentNode;
  /** The one of the document that is asked for, where it has one of that name. */
  readonly operation: OperationDefinitionNode | undefined;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly context: unknown;
}

/**
 * Answers operations: those of trusted documents by a function that is made of each once, all others by walking along the document.
 * What is compiled is code that stays, so that nothing is which a stranger wrote.
 */
export class CompiledDocuments {
  private readonly compiled = new WeakMap<OperationDefinitionNode, CompiledQuery | null>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly isTrusted: (document: DocumentNode) => boolean,
  ) {}

  async answer(asked: Asked): Promise<ExecutionResult> {
    return (await this.byFunction(asked)) ?? this.byWalking(asked);
  }

  /** Undefined where there is no function, or where it would word what is wrong with the variables in its own way: nothing has run then. */
  private async byFunction(asked: Asked): Promise<ExecutionResult | undefined> {
    const { document, operation, context, variables = {} } = asked;
    if (!operation || !this.isTrusted(document)) return undefined;
    const compiled = this.functionOf(document, operation);
    if (!compiled || !areValid(this.schema, operation, variables)) return undefined;
    const result = await compiled.query(undefined, context, variables);
    if (!('data' in result)) return undefined;
    if (!result.errors) return result;
    const errors = oneForEachNull(result.data, result.errors).map((error) => asOfGraphqlJs(error, document));
    return { ...result, errors };
  }

  private functionOf(document: DocumentNode, operation: OperationDefinitionNode): CompiledQuery | null {
    const known = this.compiled.get(operation);
    if (known !== undefined) return known;
    const made = compileQuery(this.schema, document, operation.name?.value);
    const compiled = isCompiledQuery(made) ? made : null;
    this.compiled.set(operation, compiled);
    return compiled;
  }

  private byWalking({
    document,
    operationName,
    variables,
    context,
  }: Asked): ExecutionResult | Promise<ExecutionResult> {
    return execute({
      schema: this.schema,
      document,
      contextValue: context,
      variableValues: variables,
      operationName,
    });
  }
}

/** The compiler's errors have no extensions where their cause has none; whoever is told of errors counts on them. */
function asOfGraphqlJs(
  { message, locations, path, originalError }: GraphQLError,
  { loc }: DocumentNode,
): GraphQLError {
  const places = loc && {
    source: loc.source,
    positions: locations?.map((place) => offsetOf(loc.source.body, place)),
  };
  return new GraphQLError(message, { ...places, path, originalError });
}

function offsetOf(text: string, { line, column }: SourceLocation): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((offset, { length }) => offset + length + 1, column - 1);
}

/**
 * Where nothing may be in a field that cannot be empty, what it belongs to is empty. Walking stops there and tells one reason; a function
 * goes on and finds others, which nobody would see.
 */
function oneForEachNull(data: unknown, errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const told = new Set<string>();
  return errors.filter((error) => {
    const place = placeOfNull(data, error.path ?? []);
    const isNew = !told.has(place);
    told.add(place);
    return isNew;
  });
}

/** The outermost value of the path that is empty. */
export function placeOfNull(data: unknown, path: readonly (string | number)[]): string {
  let value = data;
  const place = path.findIndex((step) => {
    if (value === null || value === undefined) return true;
    value = (value as Readonly<Record<string | number, unknown>>)[step];
    return false;
  });
  return JSON.stringify(place === -1 ? path : path.slice(0, place));
}

function areValid(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  if (variableDefinitions.length === 0) return true;
  return getVariableValues(schema, variableDefinitions, variables, { maxErrors: 1 }).errors === undefined;
}

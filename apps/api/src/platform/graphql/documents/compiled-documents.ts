import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import {
  execute,
  getVariableValues,
  GraphQLError,
  isObjectType,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SourceLocation,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { KnownDocuments } from './known-documents.js';

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
    private readonly mayCompile: (document: DocumentNode) => boolean,
  ) {}

  async answer(asked: Asked): Promise<ExecutionResult> {
    return (await this.byFunction(asked)) ?? this.byWalking(asked);
  }

  /** Undefined where there is no function, or where it would word what is wrong with the variables in its own way: nothing has run then. */
  private async byFunction(asked: Asked): Promise<ExecutionResult | undefined> {
    const { document, operation, context, variables = {} } = asked;
    if (!operation || !this.mayCompile(document)) return undefined;
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

type Gateway = ApolloServerOptionsWithGateway<object>['gateway'];

/** As Nest's own, but that Apollo asks `CompiledDocuments` for answers, by the interface that it has for gateways. */
@Injectable()
export class CompiledDriver extends ApolloDriver {
  constructor(
    modules: ModulesContainer,
    private readonly documents: KnownDocuments,
  ) {
    super(modules);
  }

  override async start(options: ApolloDriverConfig): Promise<void> {
    const { schema } = options;
    if (!schema) throw new Error('there is no schema to answer by');
    leavePlainFields(schema);
    const gateway = answeringBy(schema, (document) => this.documents.mayCompile(document));
    // Nest hands all options on to Apollo, but its type leaves out those that it sets itself.
    await super.start({ ...options, gateway } as ApolloDriverConfig);
  }
}

function answeringBy(
  schema: GraphQLSchema,
  mayCompile: ConstructorParameters<typeof CompiledDocuments>[1],
): Gateway {
  const compiled = new CompiledDocuments(schema, mayCompile);
  return {
    onSchemaLoadOrUpdate(listener) {
      listener({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    load: () =>
      Promise.resolve({
        executor: ({ document, operation, request, context }) =>
          compiled.answer({
            document,
            operation,
            operationName: request.operationName,
            variables: request.variables,
            context,
          }),
      }),
    stop: () => Promise.resolve(),
  };
}

/**
 * Takes Nest's function from each field that is nothing but the property of its name: whoever executes reads such a field by itself, and
 * a compiled document in place.
 */
function leavePlainFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) if (readsItsProperty(field)) delete field.resolve;
  }
}

/** Nest's reader of a property is tried out: it may be one of another name, or have a default. */
function readsItsProperty({ name, resolve, args }: GraphQLField<unknown, unknown>): boolean {
  if (resolve?.name !== 'rootFieldResolver' || args.length > 0) return false;
  const read = resolve as (root: object) => unknown;
  return read({ [name]: read }) === read && read({}) === undefined;
}

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

export interface ExecutionRequest {
  readonly document: DocumentNode;
  /** The requested operation; undefined when the document has none of that name. */
  readonly operation: OperationDefinitionNode | undefined;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly context: unknown;
}

/**
 * Executes operations: those of trusted documents by compiled functions, all others by graphql-js. Compiled code stays in memory, so
 * documents of strangers are never compiled.
 */
export class CompiledDocuments {
  private readonly compiled = new WeakMap<OperationDefinitionNode, CompiledQuery | null>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly mayCompile: (document: DocumentNode) => boolean,
  ) {}

  async execute(request: ExecutionRequest): Promise<ExecutionResult> {
    return (await this.executeCompiled(request)) ?? this.interpret(request);
  }

  /** Undefined, before anything has run, if the document is not compiled or graphql-js should report its variables. */
  private async executeCompiled(request: ExecutionRequest): Promise<ExecutionResult | undefined> {
    const { document, operation, context, variables = {} } = request;
    if (!operation || !this.mayCompile(document)) return undefined;
    const compiled = this.compile(document, operation);
    if (!compiled || !areValid(this.schema, operation, variables)) return undefined;
    const result = await compiled.query(undefined, context, variables);
    if (!('data' in result)) return undefined;
    if (!result.errors) return result;
    const errors = oneErrorPerNull(result.data, result.errors).map((error) =>
      toGraphqlJsError(error, document),
    );
    return { ...result, errors };
  }

  private compile(document: DocumentNode, operation: OperationDefinitionNode): CompiledQuery | null {
    const cached = this.compiled.get(operation);
    if (cached !== undefined) return cached;
    const query = compileQuery(this.schema, document, operation.name?.value);
    const compiled = isCompiledQuery(query) ? query : null;
    this.compiled.set(operation, compiled);
    return compiled;
  }

  private interpret({
    document,
    operationName,
    variables,
    context,
  }: ExecutionRequest): ExecutionResult | Promise<ExecutionResult> {
    return execute({
      schema: this.schema,
      document,
      contextValue: context,
      variableValues: variables,
      operationName,
    });
  }
}

/** Errors of graphql-jit may lack `extensions`, on which error handlers rely. */
function toGraphqlJsError(
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
 * An error in a non-null field nulls its parent. graphql-js then reports one error for that null; compiled functions continue and report
 * more.
 */
function oneErrorPerNull(data: unknown, errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const seen = new Set<string>();
  return errors.filter((error) => {
    const place = outermostNull(data, error.path ?? []);
    const isNew = !seen.has(place);
    seen.add(place);
    return isNew;
  });
}

/** Path of the outermost null on the way to an error, as JSON. */
export function outermostNull(data: unknown, path: readonly (string | number)[]): string {
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

/** Nest's Apollo driver, executing through `CompiledDocuments` by way of Apollo's gateway interface. */
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
    if (!schema) throw new Error('Apollo started without a schema');
    removePropertyResolvers(schema);
    const gateway = gatewayFor(schema, (document) => this.documents.mayCompile(document));
    // Nest passes all options on to Apollo, but its type omits those it sets itself.
    await super.start({ ...options, gateway } as ApolloDriverConfig);
  }
}

function gatewayFor(
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
          compiled.execute({
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
 * Removes Nest's resolver from fields that only read the property of their name: both executors read those by default, and compiled
 * documents inline the access.
 */
function removePropertyResolvers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) if (isPropertyResolver(field)) delete field.resolve;
  }
}

/** Calls Nest's property resolver to check: it may read another property or have a default. */
function isPropertyResolver({ name, resolve, args }: GraphQLField<unknown, unknown>): boolean {
  if (resolve?.name !== 'rootFieldResolver' || args.length > 0) return false;
  const read = resolve as (root: object) => unknown;
  return read({ [name]: read }) === read && read({}) === undefined;
}

import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { GraphQLSchema } from 'graphql';
import { CompiledDocuments } from './compiled-documents.js';
import { KnownDocuments } from './known-documents.js';
import { leavePlainFields } from './plain-fields.js';

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
    const gateway = answeringBy(schema, (document) => this.documents.isTrusted(document));
    // Nest hands all options on to Apollo, but its type leaves out those that it sets itself.
    await super.start({ ...options, gateway } as ApolloDriverConfig);
  }
}

function answeringBy(
  schema: GraphQLSchema,
  isTrusted: ConstructorParameters<typeof CompiledDocuments>[1],
): Gateway {
  const compiled = new CompiledDocuments(schema, isTrusted);
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

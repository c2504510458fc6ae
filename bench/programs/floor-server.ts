import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ApolloServer, type ApolloServerOptionsWithGateway } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import fastifyApollo, { fastifyApolloDrainPlugin } from '@as-integrations/fastify';
import {
  findQuestionById,
  listCommentsOf,
  listOwnRemovals,
  pageOfAnswers,
  pageOfComments,
  pageOfQuestions,
} from '@nimo/projections';
import fastify from 'fastify';
import { buildSchema, type DocumentNode, type GraphQLFieldResolver } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import pg from 'pg';
import { WEB_DOCUMENTS } from '../../apps/api/src/generated/web-documents.js';

/**
 * Minimal server for the web app's operations with the product's libraries and statements: Fastify, Apollo Server, graphql-jit and pg, without
 * Nest, sessions, access rules, limits or metrics. The header `x-student` names the viewer.
 */
interface Floor {
  readonly viewerId: string;
}

interface Paginated {
  readonly paginateOptions: { readonly page: number; readonly limit: number };
}

const [url = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 16 });
const SCHEMA = join(import.meta.dirname, '../../apps/api/schema.graphql');

type Resolver<Args> = (args: Args, floor: Floor) => Promise<unknown>;

const QUERIES = {
  getPaginatedQuestions: (async ({ paginateOptions, queryVals }, { viewerId }) =>
    pageOfQuestions(pool, {
      ...{ spaceId: queryVals.space, viewerId, ...paginateOptions, sort: 'NEWEST' },
      parts: { body: false, details: false },
    })) satisfies Resolver<Paginated & { readonly queryVals: { readonly space: string } }>,
  getQuestionByIdWithUserAuthorization: (async ({ questionId }, { viewerId }) =>
    findQuestionById(pool, questionId, viewerId)) satisfies Resolver<{ readonly questionId: string }>,
  getPaginatedAnswers: (async ({ questions, paginateOptions }, { viewerId }) => {
    const answers = await pageOfAnswers(pool, { questionIds: questions, viewerId, ...paginateOptions });
    const comments = await listCommentsOf(
      pool,
      answers.docs.map(({ _id }) => _id),
    );
    const docs = answers.docs.map((answer, index) => ({ ...answer, comments: comments[index] }));
    return { ...answers, docs };
  }) satisfies Resolver<Paginated & { readonly questions: readonly string[] }>,
  getOwnRemovals: (async ({ questionId }, { viewerId }) =>
    listOwnRemovals(pool, { questionId, authorId: viewerId, moderated: [] })) satisfies Resolver<{
    readonly questionId: string;
  }>,
  getPaginatedQuestionComments: (async ({ question, paginateOptions }) =>
    pageOfComments(pool, { viewerId: null, parentIds: [question], ...paginateOptions })) satisfies Resolver<
    Paginated & { readonly question: string }
  >,
};

function executableSchema() {
  const schema = buildSchema(readFileSync(SCHEMA, 'utf8'));
  const fields = schema.getQueryType()?.getFields() ?? {};
  for (const [name, resolver] of Object.entries(QUERIES)) {
    const field = fields[name];
    if (!field) throw new Error(`the schema has no query ${name}`);
    // The schema determines the arguments.
    const resolve = resolver as Resolver<unknown>;
    field.resolve = ((_source, args, floor) => resolve(args, floor)) satisfies GraphQLFieldResolver<
      unknown,
      Floor
    >;
  }
  return schema;
}

function gateway(): ApolloServerOptionsWithGateway<Floor>['gateway'] {
  const schema = executableSchema();
  const known = new WeakMap<DocumentNode, CompiledQuery>();
  const compiled = (document: DocumentNode, name: string | undefined): CompiledQuery => {
    const existing = known.get(document);
    if (existing) return existing;
    const created = compileQuery(schema, document, name);
    if (!isCompiledQuery(created)) throw new Error('a document cannot be compiled');
    known.set(document, created);
    return created;
  };
  return {
    onSchemaLoadOrUpdate(listener) {
      listener({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    load: () =>
      Promise.resolve({
        executor: async ({ document, operationName, request, context }) =>
          compiled(document, operationName ?? undefined).query(undefined, context, request.variables ?? {}),
      }),
    stop: () => Promise.resolve(),
  };
}

const server = fastify();
const apollo = new ApolloServer<Floor>({
  gateway: gateway(),
  stringifyResult: (value) => JSON.stringify(value),
  persistedQueries: {
    cache: {
      get: (key) => Promise.resolve(WEB_DOCUMENTS[key.slice(key.lastIndexOf(':') + 1)]),
      set: () => Promise.resolve(),
      delete: () => Promise.resolve(false),
    },
  },
  plugins: [fastifyApolloDrainPlugin(server), ApolloServerPluginCacheControlDisabled()],
});
await apollo.start();
await server.register(fastifyApollo(apollo), {
  context: ({ headers }) => Promise.resolve({ viewerId: String(headers['x-student']) }),
});
await server.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ port: (server.server.address() as AddressInfo).port });
process.on('SIGTERM', () => process.exit(0));

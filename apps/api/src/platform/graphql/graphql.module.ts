import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { Inject, Injectable, Module, type DynamicModule } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { AuthModule } from '../auth/auth.module.js';
import { errorFormatter } from '../errors/format-error.js';
import type { Logger } from '../logging/logger.js';
import { Metrics } from '../operations/metrics.js';
import { Tracing } from '../operations/tracing.js';
import type { Settings } from '../config/load-settings.js';
import { LOGGER, SETTINGS } from '../config/tokens.js';
import { RateLimiter } from '../rate-limit/rate-limiter.js';
import { RequestContextFactory } from './context-factory.js';
import { CompiledDriver } from './documents/compiled-documents.js';
import { DocumentAdmission, KnownDocuments } from './documents/known-documents.js';
import { PARSE_OPTIONS } from './documents/untrusted-documents.js';
import { OtherVersionDocuments } from './documents/other-versions.js';
import { loadRegisteredDocuments, RegisteredDocumentsCheck } from './documents/registered-documents.js';
import { inputLimitsPlugin } from './limits/input-limits.js';
import { createRequestCosts } from './limits/request-cost.plugin.js';
import { ProjectionWaiter } from '@nimo/projection-engine';
import { freshnessPlugin, metricsPlugin, rejectHttpSubscriptionsPlugin } from './plugins.js';
import { SocketGate } from './sockets/socket-gate.js';
import { SocketServer } from './sockets/socket-server.js';
import { SocketSessions } from './sockets/socket-sessions.js';

type SchemaTransform = (schema: GraphQLSchema) => GraphQLSchema;

/** Apollo's configuration. The schema comes from the resolvers of the feature modules. */
@Injectable()
class ApolloOptions {
  // More than five: combines admission, limits and metrics of requests.
  constructor(
    private readonly contexts: RequestContextFactory,
    private readonly documents: KnownDocuments,
    private readonly versions: OtherVersionDocuments,
    private readonly waiter: ProjectionWaiter,
    private readonly limiter: RateLimiter,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'nodeEnv'>,
  ) {}

  with(transformSchema: SchemaTransform): ApolloDriverConfig {
    const { documents, logger, metrics } = this;
    const isProduction = this.settings.nodeEnv === 'production';
    const costs = createRequestCosts(this.limiter);
    return {
      path: '/graphql',
      autoSchemaFile: true,
      // The check runs an introspection query at every start; `npm run sdl` covers it.
      buildSchemaOptions: { skipCheck: true },
      transformSchema,
      context: (request: FastifyRequest) => this.contexts.forRequest(request),
      plugins: [
        metricsPlugin(metrics, this.tracing),
        rejectHttpSubscriptionsPlugin,
        inputLimitsPlugin,
        costs.plugin,
        freshnessPlugin(this.waiter),
        // Would look for cache hints, which we do not use, at every field of every response.
        ApolloServerPluginCacheControlDisabled(),
      ],
      stringifyResult: costs.stringifyResult,
      documentStore: documents.documentStore(),
      parseOptions: PARSE_OPTIONS,
      formatError: errorFormatter(
        (err, path) => logger.error({ err, path }),
        (code) => metrics.errors.inc({ code }),
      ),
      autoTransformHttpErrors: false,
      includeStacktraceInErrorResponses: false,
      hideSchemaDetailsFromClientErrors: isProduction,
      introspection: !isProduction,
      graphiql: false,
      csrfPrevention: true,
      persistedQueries: { cache: documents.persistedQueryCache((id) => this.versions.cachedText(id)) },
    };
  }
}

@Module({
  imports: [AuthModule],
  providers: [
    RequestContextFactory,
    {
      provide: KnownDocuments,
      inject: [SETTINGS],
      useFactory: ({ graphqlDocumentsDir }: Pick<Settings, 'graphqlDocumentsDir'>) =>
        new KnownDocuments(loadRegisteredDocuments(graphqlDocumentsDir)),
    },
    DocumentAdmission,
    OtherVersionDocuments,
    ApolloOptions,
  ],
  exports: [ApolloOptions, RequestContextFactory, KnownDocuments, DocumentAdmission, OtherVersionDocuments],
})
class RequestContextModule {}

/** The GraphQL endpoint, over HTTP and sockets. */
@Module({})
export class GraphqlModule {
  static for(transformSchema: SchemaTransform): DynamicModule {
    return {
      module: GraphqlModule,
      imports: [
        RequestContextModule,
        GraphQLModule.forRootAsync<ApolloDriverConfig>({
          driver: CompiledDriver,
          imports: [RequestContextModule],
          inject: [ApolloOptions],
          useFactory: (options: ApolloOptions) => options.with(transformSchema),
        }),
      ],
      providers: [SocketServer, SocketGate, SocketSessions, RegisteredDocumentsCheck],
    };
  }
}

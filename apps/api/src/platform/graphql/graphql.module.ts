import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { Module, type DynamicModule } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthModule } from '../auth/auth.module.js';
import { errorFormatter } from '../errors/format-error.js';
import type { Logger } from '../logging/logger.js';
import { Metrics } from '../operations/metrics.js';
import { Tracing } from '../operations/tracing.js';
import type { Settings } from '../config/load-settings.js';
import { LOGGER, SETTINGS } from '../runtime/tokens.js';
import { OwnPositions } from '../commands/own-positions.js';
import { RateLimiter } from '../rate-limit/rate-limiter.js';
import { describeSchema } from './descriptions/describe-schema.js';
import { answerBudgetPlugin } from './answer-budget.plugin.js';
import { budgetLeftPlugin } from './budget-left.plugin.js';
import { CompiledDriver } from './compiled-driver.js';
import { retryAfterPlugin } from './retry-after.plugin.js';
import { RequestContextFactory } from './context-factory.js';
import { withInterfaces } from './interfaces.js';
import { KnownDocuments } from './known-documents.js';
import { registeredDocuments } from './registered-documents.js';
import { RegisteredDocumentsCheck } from './registered-documents-check.js';
import { freshnessPlugin } from './freshness.plugin.js';
import { LargeAnswers } from './large-answers.js';
import { metricsPlugin } from './metrics.plugin.js';
import { OtherVersions } from './other-versions.js';
import { ownPositionsPlugin } from './own-positions.plugin.js';
import { readableTextPlugin } from './readable-text.plugin.js';
import { subscriptionsBySocketPlugin } from './subscriptions-by-socket.plugin.js';
import { QUERY_LIMITS, queryLimitsRule } from './query-limits.rule.js';
import { SocketGate } from './socket-gate.js';
import { SocketServer } from './socket-server.js';
import { SocketSessions } from './socket-sessions.js';

interface Watch {
  readonly ownPositions: OwnPositions;
  readonly largeAnswers: LargeAnswers;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly limiter: RateLimiter;
}

function apolloOptions(
  contexts: RequestContextFactory,
  documents: KnownDocuments,
  versions: OtherVersions,
  { logger, metrics, tracing, limiter, largeAnswers, ownPositions }: Watch,
  isProduction: boolean,
): ApolloDriverConfig {
  const format = errorFormatter(
    (err, path) => logger.error({ err, path }),
    (code) => metrics.errors.inc({ code }),
  );
  return {
    path: '/graphql',
    autoSchemaFile: true,
    // By a query of all of it, at each start: `npm run sdl` and its check see to what is wrong with it.
    buildSchemaOptions: { skipCheck: true },
    transformSchema: (schema) => describeSchema(withInterfaces(schema)),
    context: (request: FastifyRequest, reply: FastifyReply) => contexts.forRequest(request, reply),
    // Cache hints, which we give none of, would be looked for at every field of every answer.
    plugins: [
      metricsPlugin(metrics, tracing),
      subscriptionsBySocketPlugin,
      readableTextPlugin,
      retryAfterPlugin(),
      budgetLeftPlugin(),
      answerBudgetPlugin({ metrics, limiter, largeAnswers, format }),
      freshnessPlugin,
      ownPositionsPlugin(ownPositions),
      ApolloServerPluginCacheControlDisabled(),
    ],
    stringifyResult: largeAnswers.stringify,
    documentStore: documents.asStore(),
    validationRules: [queryLimitsRule],
    parseOptions: { maxLexicalTokens: QUERY_LIMITS.tokens },
    formatError: format,
    autoTransformHttpErrors: false,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: isProduction,
    introspection: !isProduction,
    graphiql: false,
    csrfPrevention: true,
    persistedQueries: { cache: documents.asTexts((id) => versions.foundBefore(id)) },
  };
}

@Module({
  imports: [AuthModule],
  providers: [
    RequestContextFactory,
    {
      provide: KnownDocuments,
      inject: [SETTINGS],
      useFactory: ({ graphqlDocumentsDir }: Pick<Settings, 'graphqlDocumentsDir'>) =>
        new KnownDocuments(undefined, undefined, registeredDocuments(graphqlDocumentsDir)),
    },
    OtherVersions,
    LargeAnswers,
  ],
  exports: [RequestContextFactory, KnownDocuments, OtherVersions, LargeAnswers],
})
class RequestContextModule {}

/** The GraphQL endpoint; operations come from the resolvers of the feature modules. */
@Module({})
export class GraphqlModule {
  static for({ isProduction }: { readonly isProduction: boolean }): DynamicModule {
    const apollo = GraphQLModule.forRootAsync<ApolloDriverConfig>({
      driver: CompiledDriver,
      imports: [RequestContextModule],
      inject: [
        RequestContextFactory,
        KnownDocuments,
        OtherVersions,
        LOGGER,
        Metrics,
        Tracing,
        RateLimiter,
        LargeAnswers,
        OwnPositions,
      ],
      // As many as are injected.
      useFactory: (
        contexts: RequestContextFactory,
        documents: KnownDocuments,
        versions: OtherVersions,
        logger: Logger,
        metrics: Metrics,
        tracing: Tracing,
        limiter: RateLimiter,
        largeAnswers: LargeAnswers,
        ownPositions: OwnPositions,
      ) =>
        apolloOptions(
          contexts,
          documents,
          versions,
          { logger, metrics, tracing, limiter, largeAnswers, ownPositions },
          isProduction,
        ),
    });
    const imports = [apollo, RequestContextModule];
    return {
      module: GraphqlModule,
      imports,
      providers: [SocketServer, SocketGate, SocketSessions, RegisteredDocumentsCheck],
    };
  }
}

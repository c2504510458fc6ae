import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Logger, Module, type DynamicModule } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { AuthModule } from '../auth/auth.module.js';
import { errorFormatter } from '../errors/format-error.js';
import { RequestContextFactory, type SubscriptionContext } from './context-factory.js';
import { freshnessPlugin } from './freshness.plugin.js';
import { QUERY_LIMITS, queryLimitsRule } from './query-limits.rule.js';

const isSubscription = (from: FastifyRequest | SubscriptionContext): from is SubscriptionContext =>
  'connectionInitReceived' in from;

function apolloOptions(contexts: RequestContextFactory, isProduction: boolean): ApolloDriverConfig {
  const logger = new Logger('GraphQL');
  return {
    path: '/graphql',
    autoSchemaFile: true,
    context: (from: FastifyRequest | SubscriptionContext) =>
      isSubscription(from) ? contexts.forSubscription(from) : contexts.forRequest(from),
    subscriptions: { 'graphql-ws': true },
    // Cache hints, which we give none of, would be looked for at every field of every answer.
    plugins: [freshnessPlugin, ApolloServerPluginCacheControlDisabled()],
    validationRules: [queryLimitsRule],
    parseOptions: { maxLexicalTokens: QUERY_LIMITS.tokens },
    formatError: errorFormatter((err, path) => logger.error({ err, path })),
    autoTransformHttpErrors: false,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: isProduction,
    introspection: !isProduction,
    graphiql: false,
    csrfPrevention: true,
    persistedQueries: false,
  };
}

@Module({ imports: [AuthModule], providers: [RequestContextFactory], exports: [RequestContextFactory] })
class RequestContextModule {}

/** The GraphQL endpoint; operations come from the resolvers of the feature modules. */
export const graphqlModule = (isProduction: boolean): DynamicModule =>
  GraphQLModule.forRootAsync<ApolloDriverConfig>({
    driver: ApolloDriver,
    imports: [RequestContextModule],
    inject: [RequestContextFactory],
    useFactory: (contexts: RequestContextFactory) => apolloOptions(contexts, isProduction),
  });

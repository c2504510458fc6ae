import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { AppModule } from './src/processes/app.module.js';
import { loadSettings } from './src/platform/config/load-settings.js';
import { createLogger } from './src/platform/logging/logger.js';
import { closeRuntime, openRuntime } from './src/platform/runtime/runtime.js';

/** The SDL generated from the resolvers, sorted. Opens no connection. */
export async function apiSchema(): Promise<string> {
  const key = Buffer.alloc(32).toString('base64');
  const settings = loadSettings({
    DATABASE_URL: 'postgres://nowhere.invalid/nimo',
    NIMO_MASTER_KEY: key,
    NIMO_HMAC_KEY: key,
    NIMO_SIGNING_KEY: key,
  });
  const logger = createLogger({ name: 'sdl', level: 'silent', console: false });
  const runtime = await openRuntime({ settings, logger, name: 'sdl' });
  const app = await NestFactory.createApplicationContext(AppModule.forRuntime(runtime), {
    logger: ['error', 'warn'],
    abortOnError: false,
  });
  try {
    return `${printSchema(lexicographicSortSchema(app.get(GraphQLSchemaHost).schema))}\n`;
  } finally {
    await app.close();
    await closeRuntime(runtime);
  }
}

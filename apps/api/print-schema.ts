// Writes the SDL of the API: `node --import ./scripts/typescript.mjs apps/api/print-schema.ts [file]`. Needs no database.
import { writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { AppModule } from './src/app.module.js';
import { loadSettings } from './src/platform/config/load-settings.js';
import { createLogger } from './src/platform/logging/logger.js';
import { closeRuntime, openRuntime } from './src/platform/runtime/runtime.js';

const key = Buffer.alloc(32).toString('base64');
const settings = loadSettings({
  // Never connected to: the schema is printed from the decorators alone.
  DATABASE_URL: 'postgres://nowhere.invalid/nimo',
  NIMO_MASTER_KEY: key,
  NIMO_HMAC_KEY: key,
  NIMO_SIGNING_KEY: key,
});
const runtime = openRuntime({
  settings,
  logger: createLogger({ name: 'sdl', level: 'silent' }),
  name: 'sdl',
});
const app = await NestFactory.createApplicationContext(AppModule.forRuntime(runtime), {
  logger: ['error', 'warn'],
  abortOnError: false,
});
await app.init();
const sdl = `${printSchema(lexicographicSortSchema(app.get(GraphQLSchemaHost).schema))}\n`;
await writeFile(process.argv[2] ?? new URL('schema.graphql', import.meta.url), sdl);
await app.close();
await closeRuntime(runtime);

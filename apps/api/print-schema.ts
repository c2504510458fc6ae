// Writes the SDL of the API to apps/api/schema.graphql: `node --import ./scripts/typescript.mjs apps/api/print-schema.ts`. Needs no database.
import { writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { lexicographicSortSchema, printSchema } from 'graphql';
import pg from 'pg';
import { AppModule } from './src/app.module.js';
import { PostgresListener } from './src/platform/notifications/postgres-listener.js';

const app = await NestFactory.createApplicationContext(
  AppModule.forRuntime({
    isProduction: false,
    pool: new pg.Pool(),
    listener: new PostgresListener(''),
    store: new InMemoryEventStore(),
    readYourWrites: { wait: async () => true },
    clock: () => new Date(),
  }),
  { logger: ['error', 'warn'], abortOnError: false },
);
await app.init();
const sdl = `${printSchema(lexicographicSortSchema(app.get(GraphQLSchemaHost).schema))}\n`;
await writeFile(process.argv[2] ?? new URL('schema.graphql', import.meta.url), sdl);
await app.close();

// Writes apps/api/schema.graphql from the resolvers; with --check it only compares.
import './typescript.mjs';
import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { reportDrift } from './drift.mjs';

const file = 'apps/api/schema.graphql';
const { startTestServer } = await import('../test/test-server.ts');
const { bootApp } = await import('../test/app.ts');

const server = await startTestServer();
try {
  const app = await bootApp();
  const { schema } = app.api.get(GraphQLSchemaHost, { strict: false });
  const sdl = `${printSchema(lexicographicSortSchema(schema))}\n`;
  await app.close();
  if (process.argv.includes('--check')) await reportDrift(file, sdl, 'npm run sdl');
  else await writeFile(file, sdl);
} finally {
  await server.stop();
}

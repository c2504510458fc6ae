// Migrates an empty database from nothing and writes its schema to apps/api/schema.snapshot.txt; with --check it only compares.
import './typescript.mjs';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import pg from 'pg';
import { reportDrift } from './drift.mjs';

const file = 'apps/api/schema.snapshot.txt';
const { startTestServer } = await import('../test/test-server.ts');
const { createTestDatabase } = await import('../test/postgres.ts');
const { describeSchema } = await import('../apps/api/src/platform/database/describe-schema.ts');

const server = await startTestServer();
try {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const schema = await describeSchema(client);
  await client.end();
  await database.drop();
  if (process.argv.includes('--check')) await reportDrift(file, schema, 'npm run schema:snapshot');
  else await writeFile(file, schema);
} finally {
  await server.stop();
}

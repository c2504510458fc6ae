// Migrates an empty database and writes its schema to apps/api/schema.snapshot.txt; --check only compares.
import '../typescript.mjs';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { reportDrift } from './drift.mjs';

const file = 'apps/api/schema.snapshot.txt';
const { startTestServer } = await import('../../test/servers/test-server.ts');
const { createTestDatabase, describeSchema } = await import('../../libs/testing/src/index.ts');

const server = await startTestServer();
try {
  const database = await createTestDatabase();
  const schema = await describeSchema(database.pool());
  await database.drop();
  if (process.argv.includes('--check')) await reportDrift(file, schema, 'npm run schema:snapshot');
  else await writeFile(file, schema);
} finally {
  await server.stop();
}

// Migrates an empty database and writes its schema to apps/api/schema.snapshot.txt; --check only compares.
import '../typescript.mjs';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import pg from 'pg';
import { reportDrift } from './drift.mjs';

const file = 'apps/api/schema.snapshot.txt';
const { startTestServer } = await import('../../test/servers/test-server.ts');
const { createTestDatabase } = await import('../../libs/testing/src/postgres.ts');

const RELATIONS = `
  SELECT format('%s %I.%I', CASE c.relpersistence WHEN 'u' THEN 'unlogged table' ELSE 'table' END, n.nspname, c.relname)
    || coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '') AS line
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p')`;

const COLUMNS = `
  SELECT format('column %I.%I.%I %s', n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod))
    || CASE WHEN a.attcollation NOT IN (0, 100) THEN ' collate ' || quote_ident(k.collname) ELSE '' END
    || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') AS line
  FROM pg_attribute a
  JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  LEFT JOIN pg_collation k ON k.oid = a.attcollation
  WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`;

const CONSTRAINTS = `
  SELECT format('constraint %I.%I.%I %s', n.nspname, c.relname, k.conname, pg_get_constraintdef(k.oid)) AS line
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY($1) AND k.contype <> 'n'`;

const INDEXES = `SELECT 'index ' || indexdef AS line FROM pg_indexes WHERE schemaname = ANY($1)`;

const TRIGGERS = `
  SELECT 'trigger ' || pg_get_triggerdef(t.oid) AS line
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY($1) AND NOT t.tgisinternal`;

const FUNCTIONS = `
  SELECT pg_get_functiondef(p.oid) AS line
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = ANY($1)`;

const EXTENSIONS = `SELECT format('extension %I', extname) AS line FROM pg_extension WHERE extname <> 'plpgsql' AND $1::text[] IS NOT NULL`;

/** Describes the schema as deterministic text, so that reviews show the effect of a migration. */
async function describeSchema(client) {
  const sections = [];
  for (const query of [EXTENSIONS, RELATIONS, COLUMNS, CONSTRAINTS, INDEXES, TRIGGERS, FUNCTIONS]) {
    const { rows } = await client.query(`SELECT line FROM (${query}) AS found ORDER BY line COLLATE "C"`, [
      ['log', 'state', 'read'],
    ]);
    if (rows.length > 0) sections.push(rows.map(({ line }) => line.trimEnd()).join('\n'));
  }
  return `${sections.join('\n\n')}\n`;
}

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

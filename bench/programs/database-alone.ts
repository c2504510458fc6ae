import pg from 'pg';
import { attachEmbeddedPostgres } from '../../apps/api/src/platform/embedded-postgres/embedded-postgres.js';

/** Starts the PostgreSQL of an installation without the product and runs one query. */
const [dataFolder = ''] = process.argv.slice(2);
const server = await attachEmbeddedPostgres({ dataFolder });
const client = new pg.Client({ connectionString: server.url() });
await client.connect();
await client.query('select 1');
process.stdout.write('answered\n');
process.on('SIGTERM', () => {
  void client
    .end()
    .then(() => server.detach())
    .then(() => process.exit(0));
});

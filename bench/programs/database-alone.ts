import pg from 'pg';
import { attachEmbeddedPostgres } from '../../apps/api/src/platform/embedded-postgres/embedded-postgres.js';

/** PostgreSQL of an installation without anything of the product, until it answers. */
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

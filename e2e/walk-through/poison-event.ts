import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Runs a statement in the product's database, as a server administrator could. */
async function administer(statement: string): Promise<void> {
  const dataDir = process.env['NIMO_E2E_DATA_DIR'];
  if (dataDir === undefined) throw new Error('NIMO_E2E_DATA_DIR is not set.');
  const pid = await readFile(join(dataDir, 'postgres/server/cluster/postmaster.pid'), 'utf8');
  const [, , , port, host] = pid.split('\n');
  const client = new pg.Client({ host, port: Number(port), user: 'nimo', database: 'nimo' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Simulates a failing projection: the next news event cannot be written. */
export const forbidNews = () =>
  administer(
    `do $$ declare live regclass := (select oid from pg_class where relname ~ '^newsposts__g[0-9]+$' and relkind = 'r' order by relname desc limit 1);
     begin execute format('alter table %s add constraint no_room check (false) not valid', live); end $$`,
  );

export const allowNews = () =>
  administer(
    `do $$ declare barred regclass;
     begin for barred in select conrelid from pg_constraint where conname = 'no_room' loop
       execute format('alter table %s drop constraint no_room', barred);
     end loop; end $$`,
  );

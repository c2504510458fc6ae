import pg from 'pg';

/**
 * The least that a worker could be: it hears the doorbell, reads what came, writes a row for each event and its place in one commit that
 * waits for no disk, as the product's ticks do, and tells how far it is.
 */
const [url = ''] = process.argv.slice(2);
const work = new pg.Client({ connectionString: url });
const ears = new pg.Client({ connectionString: url });
await Promise.all([work.connect(), ears.connect()]);
await work.query('set synchronous_commit = off');

const READ = `select position, event_id, data::text as data from log.events
  where position > (select position from floor_place) order by position limit 500`;
const WRITE = `
  with written as (insert into floor_rows select * from unnest($1::uuid[], $2::text[])),
    moved as (update floor_place set position = $3)
  select pg_notify('floor_seen', $4)`;

let isAtWork = false;
let isAsked = false;

async function tick(): Promise<boolean> {
  const { rows } = await work.query<{ position: string; event_id: string; data: string }>({
    name: 'floor-read',
    text: READ,
  });
  const last = rows.at(-1);
  if (last === undefined) return false;
  const folded = rows.map(({ data }) => JSON.stringify(JSON.parse(data)));
  await work.query({
    name: 'floor-write',
    text: WRITE,
    values: [rows.map(({ event_id }) => event_id), folded, last.position, last.position],
  });
  return true;
}

async function catchUp(): Promise<void> {
  isAsked = true;
  if (isAtWork) return;
  isAtWork = true;
  while (isAsked) {
    isAsked = false;
    while (await tick());
  }
  isAtWork = false;
}

ears.on('notification', () => {
  catchUp().catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
await ears.query('listen nimo_log');
process.send?.({ port: 0 });
process.on('SIGTERM', () => process.exit(0));

import pg from 'pg';

/**
 * Minimal worker: on notification it reads new events, writes one row per event and its position in one asynchronous commit, as the product does,
 * and notifies its position.
 */
const [url = ''] = process.argv.slice(2);
const work = new pg.Client({ connectionString: url });
const listener = new pg.Client({ connectionString: url });
await Promise.all([work.connect(), listener.connect()]);
await work.query('set synchronous_commit = off');

const READ = `select position, event_id, data::text as data from log.events
  where position > (select position from floor_place) order by position limit 500`;
const WRITE = `
  with written as (insert into floor_rows select * from unnest($1::uuid[], $2::text[])),
    moved as (update floor_place set position = $3)
  select pg_notify('floor_seen', $4)`;

let isRunning = false;
let isRequested = false;

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
  isRequested = true;
  if (isRunning) return;
  isRunning = true;
  while (isRequested) {
    isRequested = false;
    while (await tick());
  }
  isRunning = false;
}

listener.on('notification', () => {
  catchUp().catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
await listener.query('listen nimo_log');
process.send?.({ port: 0 });
process.on('SIGTERM', () => process.exit(0));

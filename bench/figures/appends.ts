import { randomUUID } from 'node:crypto';
import { LOG_SCHEMA_SQL, openPool, PostgresEventStore } from '@nimo/event-store';
import pg from 'pg';
import type { BenchContext } from '../bench-context.js';
import { appendsAlone, keyedCommits, MAX_CONNECTIONS } from '../floors/append-alone.js';
import { emmettAppends, isEmmettInstalled } from '../emmett.js';
import { atLeast, type Measurement } from '../report.js';
import { closedLoop, mediansOf } from '../sampling.js';
import { voteEvent } from './vote-event.js';

const CLIENTS = [1, 8, 32, 128];
const GOAL_CLIENTS = 32;
/** Up to this number appends rarely share a commit, so the table also shows their floor. */
const FLOOR_CLIENTS = 8;
const DATABASE = 'bench_appends';
const EMMETT_DATABASE = 'bench_emmett';

/** Appends one event per stream, each client waiting for its own. Contestants write the same bytes. */
export async function measureAppends(context: BenchContext): Promise<readonly Measurement[]> {
  const { server, log } = context;
  await server.recreate(DATABASE);
  const hasEmmett = isEmmettInstalled(context);
  if (hasEmmett) await server.recreate(EMMETT_DATABASE);
  const measurements: Measurement[] = [];
  for (const clients of CLIENTS) {
    log(`appends with ${clients} clients`);
    measurements.push(...(await measureWith(context, clients, hasEmmett)));
  }
  await server.drop(DATABASE);
  if (hasEmmett) await server.drop(EMMETT_DATABASE);
  return measurements;
}

async function measureWith(
  { server, seconds, repeats }: BenchContext,
  clients: number,
  hasEmmett: boolean,
): Promise<Measurement[]> {
  const url = server.url(DATABASE);
  const hasFloor = clients <= FLOOR_CLIENTS;
  const none = (): Promise<number> => Promise.resolve(0);
  const { nimo, bare, keyed, alone, emmett } = await mediansOf(repeats, {
    nimo: () => nimoAppends(url, clients, seconds),
    bare: () => bareCommits(url, clients, seconds),
    keyed: hasFloor ? () => keyedCommits(url, clients, seconds) : none,
    alone: hasFloor ? () => appendsAlone(url, clients, seconds) : none,
    emmett: () => (hasEmmett ? emmettAppends(server.url(EMMETT_DATABASE), clients, seconds) : none()),
  });
  const figure = `appends, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
  return [
    {
      figure,
      what: 'compared with bare one-row commits',
      value: nimo,
      unit: 'appends/s',
      limit: { what: 'bare commits', value: bare },
      ...(clients === GOAL_CLIENTS && { goal: atLeast(nimo, bare, 'appends/s (the bare commit rate)') }),
    },
    ...(hasFloor ? floorOf({ figure, clients, nimo, bare, keyed, alone }) : []),
    ...(hasEmmett
      ? [
          {
            figure,
            what: 'compared with Emmett',
            value: nimo,
            unit: 'appends/s',
            limit: { what: 'Emmett', value: emmett },
          },
        ]
      : []),
  ];
}

interface Floor {
  readonly figure: string;
  readonly clients: number;
  readonly nimo: number;
  readonly bare: number;
  readonly keyed: number;
  readonly alone: number;
}

/** Steps from a bare commit to the product: the log's keys, the statement that orders appends, the store. */
function floorOf({ figure, clients, nimo, bare, keyed, alone }: Floor): Measurement[] {
  const unit = 'appends/s';
  return [
    {
      figure: `${figure}: floor`,
      what: 'the same row under the three keys of the log',
      value: keyed,
      unit,
      limit: { what: 'bare commits', value: bare },
    },
    {
      figure: `${figure}: floor`,
      what: `the log's statement through ${clients} plain pg ${clients === 1 ? 'client' : 'clients'}`,
      value: alone,
      unit,
      limit: { what: 'bare commits', value: bare },
    },
    {
      figure,
      what: 'compared with its statement alone',
      value: nimo,
      unit,
      limit: { what: 'the statement alone', value: alone },
    },
  ];
}

async function nimoAppends(url: string, clients: number, seconds: number): Promise<number> {
  const setup = new pg.Client({ connectionString: url });
  await setup.connect();
  await setup.query(LOG_SCHEMA_SQL);
  await setup.end();
  const store = new PostgresEventStore({ pool: url, directUrl: url });
  const { perSecond } = await closedLoop({
    clients,
    seconds,
    work: async () => {
      const streamId = `vote-${randomUUID()}`;
      const [outcome] = await store.append([
        { streamId, expectedRevision: 'no-stream', events: [voteEvent()] },
      ]);
      if (outcome?.kind !== 'appended') throw new Error('conflict on append to a new stream');
    },
  });
  await store.close();
  return perSecond;
}

/** Minimum for durability: one transaction per row of the same bytes with a primary key. */
async function bareCommits(url: string, clients: number, seconds: number): Promise<number> {
  const pool = openPool({ connectionString: url, max: Math.min(clients, MAX_CONNECTIONS) });
  await pool.query('create table if not exists bare (id uuid primary key, data json, metadata json)');
  const { perSecond } = await closedLoop({
    clients,
    seconds,
    work: async () => {
      const { id, data, metadata } = voteEvent();
      await pool.query({
        name: 'bare',
        text: 'insert into bare values ($1, $2, $3)',
        values: [id, data, metadata],
      });
    },
  });
  await pool.end();
  return perSecond;
}

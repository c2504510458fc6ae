import pg from 'pg';
import { GatheringSocket } from './gathering-socket.js';

const nobody = (): void => undefined;

/**
 * A pool whose connections may break at any moment. `pg` listens for them only while they are idle: one that breaks between two statements of
 * whoever holds it, or just before it is handed over, would end the process. The holder's next statement fails, which is where that is dealt with.
 *
 * @param onIdleError told of an idle connection that broke; the pool opens another at the next query
 */
export function openPool(options: pg.PoolConfig, onIdleError: (error: Error) => void = nobody): pg.Pool {
  const pool = new pg.Pool(options);
  pool.on('connect', (client) => client.on('error', nobody));
  pool.on('error', onIdleError);
  return pool;
}

/** For connections that are sent several statements before they have answered the first. */
export const PIPELINED = {
  pipeline: true,
  stream: () => new GatheringSocket(),
} as const satisfies pg.ClientConfig;

/** One connection, which may break at any moment without ending the process: its next statement fails. */
export function newClient(options: pg.ClientConfig): pg.Client {
  const client = new pg.Client(options);
  client.on('error', nobody);
  return client;
}

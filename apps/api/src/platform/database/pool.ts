import { openPool, PIPELINED } from '@nimo/event-store';
import pg from 'pg';

const BIGINT = pg.types.builtins.INT8;
const CONNECT_PATIENCE_MS = 10_000;

/**
 * By what pg_stat_activity tells whose a connection is: all of one process begin alike, which is how a build knows its own process's statements
 * from others' (build-pace.ts).
 *
 * @param process api, worker or cli
 * @param part what the connection is for, where it is not the process's pool
 */
export function connectionName(process: string, part?: string): string {
  return part === undefined ? `nimo ${process}` : `nimo ${process} ${part}`;
}

export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  /** Told of an idle connection that broke. */
  readonly onIdleError?: (error: Error) => void;
}

/** Reads bigint as number: ours are counts and positions, far below 2^53. */
export function createPool({ url, size, name, onIdleError }: PoolOptions): pg.Pool {
  const options = {
    connectionString: url,
    max: size,
    application_name: name,
    connectionTimeoutMillis: CONNECT_PATIENCE_MS,
    keepAlive: true,
    // Statements of one connection may be sent without waiting for each other: see the runner of the projections.
    ...PIPELINED,
    types: { getTypeParser: parserOf },
  };
  return openPool(options, onIdleError);
}

type GetTypeParser = typeof pg.types.getTypeParser;

const parserOf: GetTypeParser = (...wanted: Parameters<GetTypeParser>): unknown =>
  wanted[0] === BIGINT && wanted[1] !== 'binary' ? Number : pg.types.getTypeParser(...wanted);

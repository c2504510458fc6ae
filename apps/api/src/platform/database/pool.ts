import pg from 'pg';

const BIGINT_OID: number = pg.types.builtins.INT8;
const CONNECT_PATIENCE_MS = 10_000;

export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** Shown in pg_stat_activity. */
  readonly name: string;
}

/** A pool that reads bigint as number: ours are counts and positions, far below 2^53. */
export function createPool({ url, size, name }: PoolOptions): pg.Pool {
  return new pg.Pool({
    connectionString: url,
    max: size,
    application_name: name,
    connectionTimeoutMillis: CONNECT_PATIENCE_MS,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  });
}

const parserOf: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === BIGINT_OID && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text');

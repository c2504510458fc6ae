import type { Pool } from 'pg';
import type { HeadsRead, HeadWitness } from './head-witness.js';
import type { SignedHead } from './signed-head.js';

interface SignedHeadRow {
  readonly ordinal: string;
  readonly key_id: string;
  readonly head: Buffer;
  readonly signed_at: Date;
  readonly signature: string;
}

const MAX_ROWS = 1_000_000;
const LAST_ROWS = 10;

const headOf = (row: SignedHeadRow): SignedHead => ({
  ordinal: Number(row.ordinal),
  keyId: row.key_id,
  head: row.head.toString('hex'),
  at: row.signed_at.toISOString(),
  signature: row.signature,
});

/** A copy in the database itself: to be shown, and for a worker on another machine, whose folder is another. */
export class DatabaseHeads implements HeadWitness {
  readonly name = 'log.signed_heads';

  constructor(private readonly pool: Pool) {}

  async append(heads: readonly SignedHead[]): Promise<void> {
    await this.pool.query(
      `INSERT INTO log.signed_heads (ordinal, key_id, head, signed_at, signature)
       SELECT h.ordinal, h."keyId", decode(h.head, 'hex'), h.at, h.signature
       FROM json_to_recordset($1) AS h(ordinal bigint, "keyId" text, head text, at timestamptz, signature text)
       ON CONFLICT DO NOTHING`,
      [JSON.stringify(heads)],
    );
  }

  async read(after = 0, limit = MAX_ROWS): Promise<HeadsRead> {
    const { rows } = await this.pool.query<SignedHeadRow>(
      'SELECT * FROM log.signed_heads WHERE ordinal > $1 ORDER BY ordinal, key_id LIMIT $2',
      [after, Math.min(limit, MAX_ROWS)],
    );
    return { heads: rows.map(headOf), damagedLines: 0 };
  }

  async last(): Promise<HeadsRead> {
    return { heads: (await readSignedHeads(this.pool, LAST_ROWS)).toReversed(), damagedLines: 0 };
  }
}

/** The newest first. */
export async function readSignedHeads(pool: Pool, limit: number): Promise<SignedHead[]> {
  const { rows } = await pool.query<SignedHeadRow>(
    'SELECT * FROM log.signed_heads ORDER BY ordinal DESC, key_id LIMIT $1',
    [limit],
  );
  return rows.map(headOf);
}

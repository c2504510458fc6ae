import type { Pool } from 'pg';
import type { ChainTip } from './event-chain.js';
import type { HeadsFolder } from './heads-folder.js';
import { type SignedHead, signHead } from './signed-head.js';
import type { SigningKey } from './signing-key.js';

export interface HeadSignerOptions {
  readonly pool: Pool;
  readonly folder: HeadsFolder;
  readonly key: SigningKey;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** A head is signed after so many events … */
  readonly everyEvents: number;
  /** … or after so long, where something came. */
  readonly everyMs: number;
}

/** Signs the chain now and then and writes that out of the database: at most so many events are without a witness. */
export class HeadSigner {
  readonly #options: HeadSignerOptions;
  #tip: ChainTip | undefined;
  #signed = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: HeadSignerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { heads } = await this.#options.folder.read();
    this.#signed = heads.findLast(({ keyId }) => keyId === this.#options.key.keyId)?.ordinal ?? 0;
    this.#timer = setInterval(() => void this.#sign(), this.#options.everyMs);
  }

  /** The chain was written so far. */
  async see(tip: ChainTip): Promise<void> {
    this.#tip = tip;
    if (tip.ordinal - this.#signed >= this.#options.everyEvents) await this.#sign();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sign();
  }

  /** A disk that is full must not stop the chain: it is told, and the next time signs for the events until then. */
  #sign(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const tip = this.#tip;
      if (tip === undefined || tip.ordinal <= this.#signed) return;
      const { folder, key, clock, pool, onError } = this.#options;
      try {
        const head = signHead(tip, key, clock());
        await folder.append(head);
        this.#signed = tip.ordinal;
        await keepSignedHead(pool, head);
      } catch (error) {
        onError(error);
      }
    });
    return this.#writing;
  }
}

/** A copy in the database, to be shown; the proof is the file. */
async function keepSignedHead(pool: Pool, head: SignedHead): Promise<void> {
  await pool.query(
    `INSERT INTO log.signed_heads (ordinal, key_id, head, signed_at, signature) VALUES ($1, $2, decode($3, 'hex'), $4, $5)
     ON CONFLICT DO NOTHING`,
    [head.ordinal, head.keyId, head.head, head.at, head.signature],
  );
}

interface SignedHeadRow {
  readonly ordinal: string;
  readonly key_id: string;
  readonly head: Buffer;
  readonly signed_at: Date;
  readonly signature: string;
}

/** The newest first. */
export async function readSignedHeads(pool: Pool, limit: number): Promise<SignedHead[]> {
  const { rows } = await pool.query<SignedHeadRow>(
    'SELECT * FROM log.signed_heads ORDER BY ordinal DESC, key_id LIMIT $1',
    [limit],
  );
  return rows.map((row) => ({
    ordinal: Number(row.ordinal),
    keyId: row.key_id,
    head: row.head.toString('hex'),
    at: row.signed_at.toISOString(),
    signature: row.signature,
  }));
}

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { newEvents, readFrom } from '../../contract/event-fixtures.js';
import type { EventStore } from '../../port.js';
import { PostgresEventStore } from '../../postgres/postgres-event-store.js';
import { chainCaughtUp, ChainFollower } from '../chain-follower.js';
import { readChainPlace } from '../chain-table.js';
import { DatabaseHeads, HeadsFolder } from '../log-heads.js';
import { EMPTY_CHAIN, linksOf } from '../event-chain.js';
import { HeadSigner } from '../head-signer.js';
import type { Mismatch } from '../mismatches.js';
import { signingKeyOf } from '../signed-head.js';
import { verifyLog, type VerifyReport } from '../verify-log.js';

/** Generous, so that a slow machine does not fail a test. */
const TIMEOUT_MS = 60_000;

const TABLES = [
  'log.events',
  'log.chain',
  'log.signed_heads',
  'state.log_chain_position',
  'state.log_verification',
];
const copyOf = (table: string): string => `public.kept_${table.replace('.', '_')}`;

/** A log with its chain in PostgreSQL and signed heads. */
export class ChainedLog {
  readonly key = signingKeyOf(randomBytes(32));
  readonly pool: Pool;
  /** Mismatches found when signing. */
  readonly mismatches: Mismatch[] = [];
  readonly log: EventStore;
  private savedHeads = '';

  private constructor(
    readonly database: TestDatabase,
    readonly folder: HeadsFolder,
    log?: EventStore,
  ) {
    this.pool = database.pool();
    this.log =
      log ?? new PostgresEventStore({ pool: this.pool, directUrl: database.url, pollIntervalMs: 50 });
  }

  static async create(log?: EventStore): Promise<ChainedLog> {
    const folder = new HeadsFolder(await mkdtemp(join(tmpdir(), 'nimo-heads-')));
    return new ChainedLog(await createTestDatabase(), folder, log);
  }

  /** Appends each event to its own stream, so that stream revisions do not reveal tampering. */
  async append(count: number): Promise<void> {
    await this.log.append(
      newEvents(count).map((event) => ({
        streamId: `thing-${randomUUID()}`,
        expectedRevision: 'no-stream',
        events: [event],
      })),
    );
  }

  /** Chains all events, signs heads, and stops. */
  async chain(everyEvents = 5): Promise<void> {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const signer = new HeadSigner({
      pool: this.pool,
      externalCheckpoints: [this.folder, new DatabaseHeads(this.pool)],
      key: this.key,
      clock: () => new Date(),
      onError,
      onMismatch: (mismatch) => this.mismatches.push(mismatch),
      everyEvents,
      everyMs: 60_000,
    });
    const follower = new ChainFollower({
      pool: this.pool,
      log: this.log,
      onError,
      onChained: (tip) => signer.advance(tip),
      retryMs: 20,
    });
    signer.start();
    follower.start();
    try {
      await this.chained();
    } finally {
      await follower.stop();
      await signer.stop();
    }
    if (errors.length > 0) throw errors[0];
  }

  async chained(): Promise<void> {
    await chainCaughtUp(() => readChainPlace(this.pool), this.log, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }

  async verify(options: { readonly from?: number } = {}): Promise<VerifyReport> {
    const { heads } = await this.folder.read();
    return verifyLog({ pool: this.pool, log: this.log, heads, keys: [this.key], ...options });
  }

  get headsFile(): string {
    return join(this.folder.path, 'signed-heads.ndjson');
  }

  /** Saves the state for `restore`, which is ten times as fast as a new log. */
  async save(): Promise<void> {
    for (const table of TABLES) await this.pool.query(`create table ${copyOf(table)} as table ${table}`);
    this.savedHeads = await readFile(this.headsFile, 'utf8');
  }

  /** Restores the state saved by `save`. */
  async restore(): Promise<void> {
    await this.tamper(
      ...TABLES.flatMap((table) => [
        `delete from ${table}`,
        `insert into ${table} select * from ${copyOf(table)}`,
      ]),
      'delete from state.log_mismatches',
    );
    await mkdir(this.folder.path, { recursive: true });
    await writeFile(this.headsFile, this.savedHeads);
  }

  /** Bypasses the triggers, like someone with full access to the database. */
  async tamper(...statements: readonly string[]): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query("set session_replication_role = 'replica'");
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.query("set session_replication_role = 'origin'");
      client.release();
    }
  }

  /** Rewrites the chain table to match the current log. */
  async rewriteChain(store: EventStore = this.log): Promise<void> {
    const links = linksOf(EMPTY_CHAIN, await readFrom(store, undefined));
    await this.tamper(
      'delete from log.chain',
      ...links.map(
        ({ ordinal, eventId, leaf, head }) =>
          `insert into log.chain values (${ordinal}, '${eventId}', '\\x${leaf.toString('hex')}', '\\x${head.toString('hex')}')`,
      ),
    );
  }

  async eventId(ordinal: number): Promise<string> {
    const { rows } = await this.pool.query<{ event_id: string }>(
      'select event_id from log.chain where ordinal = $1',
      [ordinal],
    );
    if (!rows[0]) throw new Error(`ordinal ${ordinal} is not chained`);
    return rows[0].event_id;
  }

  async drop(): Promise<void> {
    await this.log.close();
    await this.database.drop();
    await rm(this.folder.path, { recursive: true, force: true });
  }
}

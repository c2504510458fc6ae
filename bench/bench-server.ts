import { mkdirSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { generatedKeys } from '../apps/api/src/platform/config/generated-keys.js';
import { loadSettings, type Settings } from '../apps/api/src/platform/config/load-settings.js';
import { migrate } from '../apps/api/src/platform/database/migrate.js';
import {
  attachEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../apps/api/src/platform/embedded-postgres/embedded-postgres.js';

export const BENCH_FOLDER = resolve('data/bench');

/** The product's own PostgreSQL with the product's settings (fsync on), on a data folder of the bench. */
export class BenchServer {
  static async attach(): Promise<BenchServer> {
    mkdirSync(BENCH_FOLDER, { recursive: true });
    // As root, PostgreSQL runs as another user, who has to get there.
    await chmod(BENCH_FOLDER, 0o755);
    const keys = generatedKeys(BENCH_FOLDER);
    return new BenchServer(await attachEmbeddedPostgres({ dataFolder: BENCH_FOLDER }), {
      NIMO_MASTER_KEY: keys.masterKey.toString('base64'),
      NIMO_HMAC_KEY: keys.hmacKey.toString('base64'),
      NIMO_SIGNING_KEY: keys.signingKey.toString('base64'),
    });
  }

  private constructor(
    private postgres: EmbeddedPostgres,
    private readonly keys: Readonly<Record<string, string>>,
  ) {}

  url(database: string): string {
    return this.postgres.url(database);
  }

  /** What the product's processes are given; the limits against machines would end a measurement within seconds. */
  environment(database: string): Record<string, string> {
    // A folder each: the signed heads of one log do not fit another.
    const folder = join(BENCH_FOLDER, 'files', database);
    mkdirSync(folder, { recursive: true });
    return {
      ...this.keys,
      DATABASE_URL: this.url(database),
      NIMO_DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      PORT: '0',
      RATE_LIMIT_FACTOR: '1000000',
    };
  }

  settings(database: string): Settings {
    return loadSettings(this.environment(database));
  }

  async hasDatabase(name: string): Promise<boolean> {
    return this.asOwner(
      async (client) =>
        (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1,
    );
  }

  /** A new, empty database in the place of one that was there. */
  async recreate(name: string): Promise<void> {
    await this.drop(name);
    await this.asOwner((client) => client.query(`create database ${name}`));
  }

  async createMigrated(name: string): Promise<void> {
    await this.recreate(name);
    await migrate(this.url(name));
  }

  /** In the place of one that was there; nobody may be connected to the original meanwhile. */
  async copy(original: string, name: string): Promise<void> {
    await this.drop(name);
    await this.asOwner((client) => client.query(`create database ${name} template ${original}`));
  }

  async drop(name: string): Promise<void> {
    rmSync(join(BENCH_FOLDER, 'files', name), { recursive: true, force: true });
    await this.asOwner((client) => client.query(`drop database if exists ${name} with (force)`));
  }

  async rename(from: string, to: string): Promise<void> {
    await this.asOwner((client) => client.query(`alter database ${from} rename to ${to}`));
  }

  /** What earlier measurements left to be written must not be paid for by the next one. */
  async settle(): Promise<void> {
    await this.asOwner((client) => client.query('checkpoint'));
  }

  /** With nothing in its memory; nobody may be connected. */
  async restart(): Promise<void> {
    await this.postgres.detach();
    this.postgres = await attachEmbeddedPostgres({ dataFolder: BENCH_FOLDER });
  }

  async detach(): Promise<void> {
    await this.postgres.detach();
  }

  private async asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.url('postgres') });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

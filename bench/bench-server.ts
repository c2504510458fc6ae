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

/** The embedded PostgreSQL with production settings (fsync on) and its own data folder. */
export class BenchServer {
  static async attach(): Promise<BenchServer> {
    mkdirSync(BENCH_FOLDER, { recursive: true });
    // As root, PostgreSQL runs as another user, who needs access.
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

  /** Environment of the product's processes. Rate limits are raised; they would stop a measurement within seconds. */
  environment(database: string): Record<string, string> {
    // One folder per database, because signed heads belong to one log.
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

  /** Creates an empty database, replacing an existing one. */
  async recreate(name: string): Promise<void> {
    await this.drop(name);
    await this.asOwner((client) => client.query(`create database ${name}`));
  }

  async createMigrated(name: string): Promise<void> {
    await this.recreate(name);
    await migrate(this.url(name));
  }

  /** Copies a database, replacing an existing one. The original must have no connections. */
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

  /** Runs a checkpoint, so that the next measurement does not pay for earlier writes. */
  async settle(): Promise<void> {
    await this.asOwner((client) => client.query('checkpoint'));
  }

  /** Restarts the server with empty caches. There must be no connections. */
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

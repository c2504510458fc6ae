import { kindOfError } from '@nimo/event-store';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createApi } from '../../apps/api/src/processes/api.js';
import { loadSettings } from '../../apps/api/src/platform/config/load-settings.js';
import {
  attachEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../apps/api/src/platform/embedded-postgres/embedded-postgres.js';
import { processIdentity } from '../../apps/api/src/platform/embedded-postgres/postmaster.js';
import { createPool } from '../../apps/api/src/platform/database/open-database.js';
import { createLogger } from '../../apps/api/src/platform/logging/logger.js';
import {
  closeRuntime,
  openRuntime,
  startRuntime,
  type Runtime,
} from '../../apps/api/src/platform/runtime/runtime.js';
import type { Pool } from 'pg';
import { testApp, type TestApp } from '../app.js';
import { guard } from '../servers/guardian.js';
import { eventually } from '@nimo/testing';
import { ProductProcess } from './product-process.js';

export const MASTER_KEY = Buffer.alloc(32, 'm');

const key = (letter: string): string => Buffer.alloc(32, letter).toString('base64');

/** A durable PostgreSQL server, an API and a worker, each of which can be killed. */
export class FaultyProduct {
  readonly api: ProductProcess;
  readonly worker: ProductProcess;
  readonly pool: Pool;
  private readonly processes: ProductProcess[] = [];

  private constructor(
    private readonly dataDir: string,
    private readonly server: EmbeddedPostgres,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly release: () => void,
  ) {
    this.api = this.addProcess('api');
    this.worker = this.addProcess('worker');
    this.pool = createPool({ url: server.url(), size: 4, name: 'faults' });
    // Errors are expected, because the server is killed.
    this.pool.on('error', () => undefined);
  }

  /** @param settings additional settings of the processes, given the database URL */
  static async install(
    settings: (databaseUrl: string) => Readonly<Record<string, string>> = () => ({}),
  ): Promise<FaultyProduct> {
    const dataDir = await mkdtemp('/tmp/nimo-faults-');
    await chmod(dataDir, 0o755);
    const release = guard({ postgresIn: dataDir });
    const server = await attachEmbeddedPostgres({ dataFolder: dataDir });
    const environment = {
      NODE_ENV: 'test',
      NIMO_DATA_DIR: dataDir,
      NIMO_MASTER_KEY: MASTER_KEY.toString('base64'),
      NIMO_HMAC_KEY: key('h'),
      NIMO_SIGNING_KEY: key('s'),
      RATE_LIMIT_FACTOR: '100000',
      LOG_LEVEL: 'error',
      ...settings(server.url()),
    };
    return new FaultyProduct(dataDir, server, environment, release);
  }

  /** Adds a worker on the same database. */
  anotherWorker(program: 'worker' | 'projection worker' = 'worker'): ProductProcess {
    return this.addProcess(program);
  }

  /** Adds an API on the same database. */
  anotherApi(execArgv: readonly string[] = []): ProductProcess {
    return this.addProcess('api', execArgv);
  }

  private addProcess(
    program: ConstructorParameters<typeof ProductProcess>[0],
    execArgv: readonly string[] = [],
  ): ProductProcess {
    const process = new ProductProcess(program, this.environment, execArgv);
    this.processes.push(process);
    return process;
  }

  /** Runs `work` with an API in this process, to set up data by commands. */
  prepare<Result>(work: (app: TestApp) => Promise<Result>): Promise<Result> {
    return this.inspect(async (runtime) => {
      await startRuntime(runtime);
      const api = await createApi(runtime, { webFolder: join(this.dataDir, 'no-web') });
      await api.listen(0, '127.0.0.1');
      const close = (): Promise<void> => api.close();
      const { dataDir } = this;
      try {
        return await work(testApp({ api, url: await api.getUrl(), dataDir, pool: runtime.pool, close }));
      } finally {
        await close();
      }
    });
  }

  /** Runs `work` with a runtime of the product in this process. */
  async inspect<Result>(work: (runtime: Runtime) => Promise<Result>): Promise<Result> {
    const settings = { ...loadSettings(this.environment), databaseUrl: this.server.url() };
    const logger = createLogger({ name: 'faults', level: 'silent', console: false });
    const runtime = await openRuntime({ settings, logger, name: 'faults' });
    try {
      return await work(runtime);
    } finally {
      await closeRuntime(runtime);
    }
  }

  /** Kills the postmaster. Its child processes notice and exit. */
  async killPostgres(): Promise<void> {
    const lock = await readFile(join(this.dataDir, 'postgres/server/cluster/postmaster.pid'), 'utf8');
    const pid = Number.parseInt(lock, 10);
    process.kill(pid, 'SIGKILL');
    await eventually(
      () => processIdentity(pid) === undefined,
      Boolean,
      () => 'end of the postmaster',
    );
    // The launcher does this when it loses its connection.
    await this.server.revive();
  }

  /** Kills a backend, so that PostgreSQL ends all backends and recovers. It may still be recovering from the last kill. */
  async killBackend(): Promise<void> {
    let pid: number | undefined;
    await eventually(
      async () => {
        pid = await this.anyConnection();
        return pid !== undefined;
      },
      Boolean,
      () => 'connection of the product',
    );
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  }

  private async anyConnection(): Promise<number | undefined> {
    try {
      const { rows } = await this.pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name like 'nimo%' order by random() limit 1`,
      );
      return rows[0]?.pid;
    } catch (error) {
      if (kindOfError(error) !== 'away') throw error;
      return undefined;
    }
  }

  async remove(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop()));
    await this.pool.end();
    await this.server.detach();
    await rm(this.dataDir, { recursive: true, force: true });
    this.release();
  }
}

import { join } from 'node:path';
import type { Settings } from '../config/load-settings.js';
import { displayHost } from '../config/setting.js';
import { SHUTDOWN_TIMEOUT_MS } from '../runtime/run-process.js';
import { attachEmbeddedPostgres, type EmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import type { Logger } from '../logging/logger.js';
import { seedOnFirstStart } from './first-start.js';
import { findFreePort, InstanceLock, LaunchError, RunningFile } from './running-instance.js';
import { SupervisedProcess, WORKER_OPTIONS } from './supervised-process.js';

export interface LauncherOptions {
  readonly settings: Settings;
  /** Folder of main.js, worker.js and cli.js. */
  readonly programs: string;
  readonly isPortExplicit: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly logger: Logger;
}

/** Grace beyond a process's own shutdown timeout, after which it logs the reason itself. */
const STOP_GRACE_MS = 1_000;

type Step = () => Promise<void>;

/** Runs the whole product: starts PostgreSQL, API and worker together and stops them in order. */
export class Launcher {
  private readonly options: LauncherOptions;
  private readonly running: RunningFile;
  private processes: SupervisedProcess[] = [];
  /** Steps that stop what was started, run in reverse order. */
  private readonly undo: Step[] = [];
  private starting: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;
  private readonly abort = new AbortController();

  constructor(options: LauncherOptions) {
    this.options = options;
    this.running = new RunningFile(options.settings.dataDir);
  }

  /** @returns the text to print */
  async start(): Promise<string> {
    let text = '';
    this.starting = (async () => {
      text = await this.startAll();
    })();
    await this.starting;
    return text;
  }

  /** Stops everything that was started. Idempotent, and safe at any time. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  get isStopping(): boolean {
    return this.abort.signal.aborted;
  }

  /** Stops immediately; nothing acknowledged is lost. */
  kill(): void {
    for (const child of this.processes) child.kill();
  }

  private async startAll(): Promise<string> {
    const { settings } = this.options;
    this.loadProcesses();
    const databaseUrl = await this.startDatabase();
    await this.stopOrphans();
    const port = await findFreePort({
      host: settings.host,
      port: settings.port,
      isExplicit: this.options.isPortExplicit,
    });
    const address = settings.publicUrl ?? `http://${displayHost(settings.host)}:${port}`;
    await this.running.announce(address);
    this.undo.push(() => this.running.remove());
    await this.startProcesses(port);
    const demo = await this.seed(databaseUrl);
    return [`Nimo is ready at ${address}`, demo.trim()].filter((line) => line !== '').join('\n');
  }

  private async startDatabase(): Promise<string> {
    const { databaseUrl, databaseDirectUrl, dataDir } = this.options.settings;
    const url = databaseDirectUrl ?? databaseUrl;
    return url ?? this.startEmbedded(await attachEmbeddedPostgres({ dataFolder: dataDir }));
  }

  private async startEmbedded(server: EmbeddedPostgres): Promise<string> {
    this.undo.push(() => server.detach());
    const url = server.url();
    const lock = new InstanceLock({ url, revive: () => server.revive() });
    if (!(await lock.take())) {
      const address = (await this.running.address()) ?? 'a URL it is about to print';
      throw new LaunchError(`Nimo is already running on ${this.options.settings.dataDir}: ${address}`);
    }
    this.undo.push(() => lock.release());
    return url;
  }

  private async stopOrphans(): Promise<void> {
    const count = await this.running.stopOrphans();
    if (count > 0) this.options.logger.warn(`Stopped ${count} leftover processes of a killed run.`);
  }

  /** Loads the processes' code while the database starts. They do nothing until they receive `Begin`. */
  private loadProcesses(): void {
    const { environment, logger, programs, settings } = this.options;
    const stopTimeoutMs = SHUTDOWN_TIMEOUT_MS + settings.drainSeconds * 1000 + STOP_GRACE_MS;
    const onStarted = (pid: number): void => {
      this.running
        .addProcess(pid)
        .catch((err: unknown) => logger.warn({ err }, 'could not record a process'));
    };
    const process = (name: string, file: string, options: readonly string[] = []): SupervisedProcess =>
      new SupervisedProcess({
        name,
        file: join(programs, file),
        options,
        environment,
        logger,
        stopTimeoutMs,
        onStarted,
      });
    const worker = process('worker', 'worker.js', WORKER_OPTIONS);
    const api = process('api', 'main.js');
    this.abort.signal.throwIfAborted();
    // Stopped in this order, so that the worker still projects acknowledged writes.
    this.processes = [api, worker];
    for (const child of this.processes) child.load();
  }

  private async startProcesses(port: number): Promise<void> {
    this.abort.signal.throwIfAborted();
    for (const child of this.processes.toReversed()) this.undo.push(() => child.stop());
    await Promise.all(this.processes.map((child) => child.start(port)));
  }

  private async seed(databaseUrl: string): Promise<string> {
    const { settings, environment, logger, programs } = this.options;
    if (settings.nodeEnv === 'production') return '';
    try {
      return await seedOnFirstStart({
        databaseUrl,
        eventStoreUrl: settings.eventStoreUrl,
        dataDir: settings.dataDir,
        commandLine: join(programs, 'cli.js'),
        environment,
        signal: this.abort.signal,
      });
    } catch (error) {
      logger.error({ err: error }, 'Could not create the demo content; retrying at the next start.');
      return '';
    }
  }

  private async stopAll(): Promise<void> {
    this.abort.abort();
    // Aborts a start in progress; what it started is in `undo`.
    for (const child of this.processes) await child.stop();
    await this.starting?.catch(() => undefined);
    for (const step of this.undo.reverse()) {
      await step().catch((error: unknown) =>
        this.options.logger.error({ err: error }, 'A component did not stop cleanly.'),
      );
    }
  }
}

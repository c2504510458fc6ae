import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import type { Logger } from '../logging/logger.js';
import { type Begin, WAITS_FOR_PARENT } from '../runtime/run-process.js';
import { LaunchError } from './running-instance.js';

/**
 * Node options of the worker. Rows of a rebuild live until the next flush, which is too long for the default young generation of 16 MB: they
 * would all be promoted. docker-compose.yml and `npm run bench` use the same options.
 */
export const WORKER_OPTIONS = ['--max-semi-space-size=64'];

const READY_TIMEOUT_MS = 60_000;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 10_000;
const STABLE_MS = 30_000;

const readyMessage = z.object({ ready: z.literal(true), port: z.number().optional() });

interface SupervisedOptions {
  readonly name: string;
  readonly file: string;
  /** Node options. */
  readonly options?: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly logger: Logger;
  /** Time before a stopping process is killed; longer than its own shutdown timeout. */
  readonly stopTimeoutMs: number;
  /** Called with the PID of each started process. */
  readonly onStarted: (pid: number) => void;
}

/** A child process restarted with exponential backoff when it exits unexpectedly. */
export class SupervisedProcess {
  private readonly options: SupervisedOptions;
  private child: ChildProcess | undefined;
  private isStopping = false;
  private restart: NodeJS.Timeout | undefined;
  private backoffMs = FIRST_BACKOFF_MS;
  private port = 0;

  constructor(options: SupervisedOptions) {
    this.options = options;
  }

  /** Starts loading its code, most of the start-up time, before its dependencies are ready. */
  load(): void {
    this.child = this.spawn([WAITS_FOR_PARENT]);
  }

  /** Resolves once it is ready. A process that exits earlier has logged the reason and is not restarted. */
  async start(port: number): Promise<void> {
    this.port = port;
    const child = this.child;
    if (child === undefined || this.isStopping)
      throw new LaunchError(`The ${this.options.name} was stopped.`);
    if (child.pid !== undefined) this.options.onStarted(child.pid);
    const isReady = this.waitUntilReady(child);
    const message: Begin = { begin: { port } };
    // If sending fails the process has exited, which is handled below.
    if (child.connected) child.send(message, () => undefined);
    await isReady;
    child.once('exit', () => this.scheduleRestart(Date.now()));
    if (child.exitCode !== null || child.signalCode !== null) this.scheduleRestart(Date.now());
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.restart);
    const child = this.child;
    if (child === undefined || hasEnded(child)) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const timeout = setTimeout(() => {
      this.options.logger.warn(`${this.options.name} did not stop in time and was killed`);
      child.kill('SIGKILL');
    }, this.options.stopTimeoutMs);
    await ended;
    clearTimeout(timeout);
  }

  kill(): void {
    this.isStopping = true;
    this.child?.kill('SIGKILL');
  }

  private spawn(parameters: readonly string[] = []): ChildProcess {
    // Detached, so that Ctrl-C reaches only the launcher, which stops its children in order.
    const child = fork(this.options.file, parameters, {
      env: { ...this.options.environment, PORT: String(this.port) },
      detached: true,
      execArgv: ['--enable-source-maps', ...(this.options.options ?? [])],
    });
    // Also emitted when a message cannot be sent; exits are handled separately.
    child.on('error', (err) =>
      this.options.logger.warn({ err }, `${this.options.name} could not be reached`),
    );
    return child;
  }

  private waitUntilReady(child: ChildProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      const { name } = this.options;
      const give = (outcome: () => void): void => {
        clearTimeout(timeout);
        child.off('message', onMessage).off('exit', onExit).off('error', onExit);
        outcome();
      };
      const onMessage = (message: unknown): void => {
        if (readyMessage.safeParse(message).success) give(resolve);
      };
      const onExit = (): void =>
        give(() => reject(new LaunchError(`The ${name} did not start. See the messages above.`)));
      const timeout = setTimeout(
        () => give(() => reject(new LaunchError(`The ${name} was not ready within a minute.`))),
        READY_TIMEOUT_MS,
      );
      child.on('message', onMessage).once('exit', onExit).once('error', onExit);
      if (hasEnded(child)) onExit();
    });
  }

  private scheduleRestart(since: number): void {
    if (this.isStopping) return;
    const { name, logger } = this.options;
    logger.error(`${name} exited unexpectedly, restarting in ${this.backoffMs} ms`);
    this.restart = setTimeout(() => {
      const child = this.spawn();
      this.child = child;
      if (child.pid !== undefined) this.options.onStarted(child.pid);
      const startedAt = Date.now();
      child.once('exit', () => this.scheduleRestart(startedAt));
      child.once('error', () => this.scheduleRestart(startedAt));
    }, this.backoffMs);
    this.backoffMs =
      Date.now() - since > STABLE_MS ? FIRST_BACKOFF_MS : Math.min(this.backoffMs * 2, MAX_BACKOFF_MS);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

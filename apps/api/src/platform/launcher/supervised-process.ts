import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import type { Logger } from '../logging/logger.js';
import { type Begin, WAITS_FOR_PARENT } from '../runtime/run-process.js';
import { LaunchError } from './running-instance.js';

/**
 * Options of node for the worker. Rows of a rebuild live from a page to the next flush: longer than the usual young generation of 16 MB lets
 * them, and so each was copied twice and then collected with the old ones. docker-compose.yml and `npm run bench` say the same.
 */
export const WORKER_OPTIONS = ['--max-semi-space-size=64'];

const READY_PATIENCE_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
const STABLE_MS = 30_000;

const readyMessage = z.object({ ready: z.literal(true), port: z.number().optional() });

interface SupervisedOptions {
  readonly name: string;
  readonly file: string;
  /** Of node. */
  readonly options?: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly logger: Logger;
  /** After it a process that was asked to stop is killed; longer than it gives itself. */
  readonly stopPatienceMs: number;
  /** Called with the number of each process that is started. */
  readonly onStarted: (pid: number) => void;
}

/** A process that is started again, ever more slowly, when it ends without having been asked to. */
export class SupervisedProcess {
  private readonly options: SupervisedOptions;
  private child: ChildProcess | undefined;
  private isStopping = false;
  private restart: NodeJS.Timeout | undefined;
  private pauseMs = FIRST_PAUSE_MS;
  private port = 0;

  constructor(options: SupervisedOptions) {
    this.options = options;
  }

  /** Has it load its code, which is most of its start, while what it needs is not there yet. */
  load(): void {
    this.child = this.spawn([WAITS_FOR_PARENT]);
  }

  /** Resolves once it serves. A process that ends before that has told why: that is not tried again. */
  async start(port: number): Promise<void> {
    this.port = port;
    const child = this.child;
    if (child === undefined || this.isStopping)
      throw new LaunchError(`The ${this.options.name} was stopped.`);
    if (child.pid !== undefined) this.options.onStarted(child.pid);
    const isReady = this.untilReady(child);
    const told: Begin = { begin: { port } };
    // One that cannot be told any more has ended, which its exit tells.
    if (child.connected) child.send(told, () => undefined);
    await isReady;
    child.once('exit', () => this.startAgain(Date.now()));
    if (child.exitCode !== null || child.signalCode !== null) this.startAgain(Date.now());
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.restart);
    const child = this.child;
    if (child === undefined || hasEnded(child)) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const impatience = setTimeout(() => {
      this.options.logger.warn(`${this.options.name} did not end in time and was killed`);
      child.kill('SIGKILL');
    }, this.options.stopPatienceMs);
    await ended;
    clearTimeout(impatience);
  }

  kill(): void {
    this.isStopping = true;
    this.child?.kill('SIGKILL');
  }

  private spawn(parameters: readonly string[] = []): ChildProcess {
    // In a session of its own: Ctrl-C at the console is for the launcher, which stops its children in order.
    const child = fork(this.options.file, parameters, {
      env: { ...this.options.environment, PORT: String(this.port) },
      detached: true,
      execArgv: ['--enable-source-maps', ...(this.options.options ?? [])],
    });
    // Also when it can no longer be told anything; that it ended is told by its exit.
    child.on('error', (err) =>
      this.options.logger.warn({ err }, `${this.options.name} could not be reached`),
    );
    return child;
  }

  private untilReady(child: ChildProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      const { name } = this.options;
      const give = (outcome: () => void): void => {
        clearTimeout(impatience);
        child.off('message', onMessage).off('exit', onExit).off('error', onExit);
        outcome();
      };
      const onMessage = (message: unknown): void => {
        if (readyMessage.safeParse(message).success) give(resolve);
      };
      const onExit = (): void =>
        give(() => reject(new LaunchError(`The ${name} did not start; the lines above say why.`)));
      const impatience = setTimeout(
        () => give(() => reject(new LaunchError(`The ${name} did not get ready in a minute.`))),
        READY_PATIENCE_MS,
      );
      child.on('message', onMessage).once('exit', onExit).once('error', onExit);
      if (hasEnded(child)) onExit();
    });
  }

  private startAgain(since: number): void {
    if (this.isStopping) return;
    const { name, logger } = this.options;
    logger.error(`${name} ended unexpectedly, starting it again in ${this.pauseMs} ms`);
    this.restart = setTimeout(() => {
      const child = this.spawn();
      this.child = child;
      if (child.pid !== undefined) this.options.onStarted(child.pid);
      const startedAt = Date.now();
      child.once('exit', () => this.startAgain(startedAt));
      child.once('error', () => this.startAgain(startedAt));
    }, this.pauseMs);
    this.pauseMs = Date.now() - since > STABLE_MS ? FIRST_PAUSE_MS : Math.min(this.pauseMs * 2, MAX_PAUSE_MS);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

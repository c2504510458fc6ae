import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { guard } from '../servers/guardian.js';
import { eventually } from '@nimo/testing';

const DIST = join(import.meta.dirname, '../../dist');
const PROGRAMS = {
  api: join(DIST, 'apps/api/src/main.js'),
  worker: join(DIST, 'apps/api/src/worker.js'),
  'projection worker': join(DIST, 'test/projection-worker.js'),
} as const;
const MAX_OUTPUT = 4_000;
/** A process that hangs on shutdown is killed after this; longer than its own timeout. */
const SHUTDOWN_TIMEOUT_MS = 20_000;

/** A process of the built API or worker that can be killed and restarted. */
export class ProductProcess {
  private started: ChildProcess | undefined;
  private port: number | undefined;
  private isReady = false;
  private recentOutput = '';

  constructor(
    private readonly program: keyof typeof PROGRAMS,
    private readonly environment: NodeJS.ProcessEnv,
    /** Node arguments; those of Jest are not inherited. */
    private readonly execArgv: readonly string[] = [],
  ) {}

  get isRunning(): boolean {
    return this.started?.exitCode === null && this.started.signalCode === null;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port ?? 0}`;
  }

  get pid(): number | undefined {
    return this.started?.pid;
  }

  /** For messages to the process. */
  get child(): ChildProcess {
    if (!this.started) throw new Error(`the ${this.program} was not started`);
    return this.started;
  }

  /** End of its output. */
  get output(): string {
    return this.recentOutput;
  }

  /** Starts the process, on the same port as before. */
  spawn(): void {
    const child = fork(PROGRAMS[this.program], {
      env: { ...process.env, ...this.environment, PORT: String(this.port ?? 0) },
      execArgv: [...this.execArgv],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.started = child;
    this.isReady = false;
    if (child.pid !== undefined) child.once('exit', guard({ pid: child.pid }));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.recentOutput = (this.recentOutput + text).slice(-MAX_OUTPUT);
      });
    }
    child.on('message', (message: { ready?: boolean; port?: number }) => {
      if (this.started !== child || message.ready !== true) return;
      this.port ??= message.port;
      this.isReady = true;
    });
  }

  async whenReady(): Promise<void> {
    await eventually(
      () => {
        if (!this.isRunning)
          throw new Error(`the ${this.program} exited unexpectedly:\n${this.recentOutput}`);
        return this.isReady;
      },
      Boolean,
      () => [`ready ${this.program}`, this.recentOutput],
    );
  }

  async start(): Promise<void> {
    this.spawn();
    await this.whenReady();
  }

  /** Sends SIGKILL. */
  async kill(): Promise<void> {
    if (!this.isRunning) throw new Error(`the ${this.program} exited unexpectedly:\n${this.recentOutput}`);
    await this.end('SIGKILL');
  }

  /** Stops the process like a suspended machine. */
  pause(): void {
    this.started?.kill('SIGSTOP');
  }

  resume(): void {
    this.started?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    if (this.isRunning) await this.end('SIGTERM');
  }

  /** Requests a graceful shutdown, like a deployment. @returns the exit code */
  async shutDown(): Promise<number | null> {
    await this.end('SIGTERM');
    return this.started?.exitCode ?? null;
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.started;
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    // A paused process handles no other signal.
    child.kill('SIGCONT');
    const timer = setTimeout(() => child.kill('SIGKILL'), SHUTDOWN_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  }
}

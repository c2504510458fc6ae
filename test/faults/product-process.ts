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
const LAST_WORDS = 4_000;
/** After it, one that was told to go and hangs is killed: longer than it gives itself. */
const GOES_WITHIN_MS = 20_000;

/** The built api or worker as a process of its own, which is killed and started again. */
export class ProductProcess {
  private started: ChildProcess | undefined;
  private port: number | undefined;
  private isReady = false;
  private lastWords = '';

  constructor(
    private readonly program: keyof typeof PROGRAMS,
    private readonly environment: NodeJS.ProcessEnv,
    /** For Node itself; never those of jest. */
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

  /** For what it is asked beside its work. */
  get child(): ChildProcess {
    if (!this.started) throw new Error(`the ${this.program} was not started`);
    return this.started;
  }

  /** What it wrote to its streams lately. */
  get words(): string {
    return this.lastWords;
  }

  /** Comes back on the port that it had. */
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
        this.lastWords = (this.lastWords + text).slice(-LAST_WORDS);
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
        if (!this.isRunning) throw new Error(`the ${this.program} ended by itself:\n${this.lastWords}`);
        return this.isReady;
      },
      Boolean,
      () => [`the ${this.program} being ready`, this.lastWords],
    );
  }

  async start(): Promise<void> {
    this.spawn();
    await this.whenReady();
  }

  /** Without any warning, as the power does. */
  async kill(): Promise<void> {
    if (!this.isRunning) throw new Error(`the ${this.program} ended by itself:\n${this.lastWords}`);
    await this.end('SIGKILL');
  }

  /** Holds it where it stands, as a machine does that was put to sleep. */
  freeze(): void {
    this.started?.kill('SIGSTOP');
  }

  thaw(): void {
    this.started?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    if (this.isRunning) await this.end('SIGTERM');
  }

  /** Asks it to go, as a deployment does. @returns its exit code */
  async leave(): Promise<number | null> {
    await this.end('SIGTERM');
    return this.started?.exitCode ?? null;
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.started;
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    // A frozen one hears nothing else.
    child.kill('SIGCONT');
    const impatience = setTimeout(() => child.kill('SIGKILL'), GOES_WITHIN_MS);
    await exited;
    clearTimeout(impatience);
  }
}

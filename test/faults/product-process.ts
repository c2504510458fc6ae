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
  #child: ChildProcess | undefined;
  #port: number | undefined;
  #isReady = false;
  #words = '';

  constructor(
    private readonly program: keyof typeof PROGRAMS,
    private readonly environment: NodeJS.ProcessEnv,
    /** For Node itself; never those of jest. */
    private readonly execArgv: readonly string[] = [],
  ) {}

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port ?? 0}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** For what it is asked beside its work. */
  get child(): ChildProcess {
    if (!this.#child) throw new Error(`the ${this.program} was not started`);
    return this.#child;
  }

  /** What it wrote to its streams lately. */
  get words(): string {
    return this.#words;
  }

  /** Comes back on the port that it had. */
  spawn(): void {
    const child = fork(PROGRAMS[this.program], {
      env: { ...process.env, ...this.environment, PORT: String(this.#port ?? 0) },
      execArgv: [...this.execArgv],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    this.#isReady = false;
    if (child.pid !== undefined) child.once('exit', guard({ pid: child.pid }));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#words = (this.#words + text).slice(-LAST_WORDS);
      });
    }
    child.on('message', (message: { ready?: boolean; port?: number }) => {
      if (this.#child !== child || message.ready !== true) return;
      this.#port ??= message.port;
      this.#isReady = true;
    });
  }

  async whenReady(): Promise<void> {
    await eventually(
      () => {
        if (!this.isRunning) throw new Error(`the ${this.program} ended by itself:\n${this.#words}`);
        return this.#isReady;
      },
      Boolean,
      () => [`the ${this.program} being ready`, this.#words],
    );
  }

  async start(): Promise<void> {
    this.spawn();
    await this.whenReady();
  }

  /** Without any warning, as the power does. */
  async kill(): Promise<void> {
    if (!this.isRunning) throw new Error(`the ${this.program} ended by itself:\n${this.#words}`);
    await this.#end('SIGKILL');
  }

  /** Holds it where it stands, as a machine does that was put to sleep. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    if (this.isRunning) await this.#end('SIGTERM');
  }

  /** Asks it to go, as a deployment does. @returns its exit code */
  async leave(): Promise<number | null> {
    await this.#end('SIGTERM');
    return this.#child?.exitCode ?? null;
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
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

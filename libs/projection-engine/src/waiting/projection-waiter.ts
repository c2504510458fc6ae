import type { Client, Pool } from 'pg';
import type { Position } from '@nimo/event-store';
import { PROJECTION_CHANNEL } from '../bookkeeping/bookkeeping.js';
import { BackOff, pause } from '../scheduling.js';

export interface ProjectionWaiterOptions {
  readonly pool: Pool;
  /** Returns a new, unconnected client for the server itself: LISTEN does not work through a transaction pooler. */
  readonly connect: () => Client;
  readonly onError: (error: unknown) => void;
  /** Default timeout of callers; 1,000 ms. */
  readonly timeoutMs?: number;
}

const POLL_MS = 100;
const TIMEOUT_MS = 1000;
const FIRST_DELAY_MS = 20;
const MAX_DELAY_MS = 2_000;

export interface LiveProgress {
  /** Reached by the live generation, or by its predecessor. */
  readonly position: Position;
  readonly isStopped: boolean;
}

interface Waiting {
  readonly name: string;
  readonly position: Position;
  readonly resolve: () => void;
  /** Stored here because a new connection clears the progress. */
  hasPassed: boolean;
}

/**
 * Lets a command answer once the projections that its caller will read have passed its events. Known progress is only valid while it
 * listens: projections commit without waiting for the disk, so a crash of the server can undo announced commits.
 */
export class ProjectionWaiter {
  private readonly options: ProjectionWaiterOptions;
  private readonly progress = new Map<string, LiveProgress>();
  private readonly waiting = new Set<Waiting>();
  private readonly stopping = new AbortController();
  private readonly backOff = new BackOff(FIRST_DELAY_MS, MAX_DELAY_MS);
  /** Set while it listens. */
  private client: Client | undefined;
  private connections = 0;
  private polling: Promise<void> | undefined;

  constructor(options: ProjectionWaiterOptions) {
    this.options = options;
  }

  /** Default timeout of callers. */
  get timeoutMs(): number {
    return this.options.timeoutMs ?? TIMEOUT_MS;
  }

  async start(): Promise<void> {
    await this.listen();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.client?.end();
    this.client = undefined;
  }

  /**
   * Waits until the projections have passed a position, except for stopped ones.
   * @returns `stale` if not all have passed it
   * @throws RangeError for an unknown projection
   */
  async waitFor(
    names: readonly string[],
    position: Position,
    timeoutMs = this.timeoutMs,
  ): Promise<{ stale: boolean }> {
    await this.ensureKnown(names);
    const late = names.filter((name) => (this.progress.get(name)?.position ?? '') < position);
    const pending = late.filter((name) => !this.isDone(name, position));
    const waiting = pending.map((name) => this.register(name, position));
    const all = Promise.all(waiting.map(({ passed }) => passed)).then(() => undefined);
    const done = new AbortController();
    try {
      if (waiting.length > 0) await Promise.race([all, this.pollUntil(timeoutMs, done.signal)]);
    } finally {
      done.abort();
      for (const { entry } of waiting) this.waiting.delete(entry);
    }
    return { stale: pending.length < late.length || waiting.some(({ entry }) => !entry.hasPassed) };
  }

  /** The known progress of a projection; undefined for unknown names and while it does not listen. */
  progressOf(name: string): LiveProgress | undefined {
    return this.client && this.progress.get(name);
  }

  /** Notifications usually suffice. Polling covers notifications lost with a connection. */
  private async pollUntil(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const end = performance.now() + timeoutMs;
    for (let left = timeoutMs; left > 0; left = end - performance.now()) {
      await pause(Math.min(left, POLL_MS), signal);
      if (signal.aborted) return;
      await this.pollOnce().catch(this.options.onError);
    }
  }

  /** Concurrent callers share one query. */
  private async pollOnce(): Promise<void> {
    this.polling ??= this.poll().finally(() => (this.polling = undefined));
    await this.polling;
  }

  private register(
    name: string,
    position: Position,
  ): { readonly entry: Waiting; readonly passed: Promise<void> } {
    let resolve: () => void = () => undefined;
    const passed = new Promise<void>((done) => (resolve = done));
    const entry: Waiting = { name, position, resolve, hasPassed: false };
    this.waiting.add(entry);
    return { entry, passed };
  }

  private async ensureKnown(names: readonly string[]): Promise<void> {
    const isUnknown = (name: string): boolean => !this.progress.has(name);
    if (this.client && !names.some(isUnknown)) return;
    let [connections, unknown]: [number, string | undefined] = [-1, undefined];
    // A new connection clears the progress, so query again.
    while (connections !== this.connections) {
      connections = this.connections;
      await this.poll();
      unknown = names.find(isUnknown);
      if (unknown === undefined) return;
    }
    throw new RangeError(`unknown projection ${unknown}`);
  }

  /** LISTEN before the query, so that no commit is missed in between. */
  private async listen(): Promise<void> {
    const client = this.options.connect();
    client.on('notification', ({ payload }) => {
      // Any client can notify the channel, and an error thrown in a listener would be uncaught.
      try {
        this.receive(payload ?? '');
      } catch (error) {
        this.options.onError(error);
      }
    });
    client.on('error', this.options.onError);
    client.once('end', () => void this.reconnect(client).catch(this.options.onError));
    try {
      await client.connect();
      await client.query(`listen ${PROJECTION_CHANNEL}`);
      this.progress.clear();
      this.connections += 1;
      this.client = client;
      await this.poll();
      this.stopping.signal.throwIfAborted();
    } catch (error) {
      if (this.client === client) this.client = undefined;
      await client.end().catch(this.options.onError);
      throw error;
    }
  }

  private async reconnect(ended: Client): Promise<void> {
    if (this.client !== ended) return;
    this.client = undefined;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // Before the first attempt too: a server may accept connections and close them immediately.
      await this.backOff.wait(signal);
      try {
        signal.throwIfAborted();
        await this.listen();
        return;
      } catch (error) {
        if (!this.stopping.signal.aborted) this.options.onError(error);
      }
    }
  }

  private receive(payload: string): void {
    this.backOff.reset();
    for (const one of payload.split(',')) {
      const separator = one.indexOf(':');
      const position = one.slice(separator + 1);
      if (separator > 0) this.record(one.slice(0, separator), position, position === '');
    }
  }

  private async poll(): Promise<void> {
    const { rows } = await this.options.pool.query<{ name: string; position: Position; stopped: boolean }>(
      `select name, coalesce(position, '') as position, error is not null as stopped
       from read.projection_generations where status = 'live'`,
    );
    for (const { name, position, stopped } of rows) this.record(name, position, stopped);
  }

  /** Updates may arrive out of order: on one connection a position only grows. */
  private record(name: string, position: Position, isStopped: boolean): void {
    const known = this.progressOf(name)?.position ?? '';
    const progress = { position: position > known ? position : known, isStopped };
    this.progress.set(name, progress);
    for (const entry of this.waiting) {
      if (entry.name !== name) continue;
      entry.hasPassed = progress.position >= entry.position;
      if (this.isDone(name, entry.position)) entry.resolve();
    }
  }

  private isDone(name: string, position: Position): boolean {
    const progress = this.progress.get(name);
    return progress !== undefined && (progress.isStopped || progress.position >= position);
  }
}

import type { Client, Pool } from 'pg';
import type { Position } from '@nimo/event-store';
import { PROJECTION_CHANNEL } from '../bookkeeping/bookkeeping.js';
import { BackOff, pause } from '../scheduling.js';

export interface ProjectionWaiterOptions {
  readonly pool: Pool;
  /** A new, unconnected client of the server itself: LISTEN does not work through a transaction pooler. */
  readonly connect: () => Client;
  readonly onError: (error: unknown) => void;
  /** How long a caller waits at most; a second unless given. */
  readonly patienceMs?: number;
}

const LOOK_MS = 100;
const PATIENCE_MS = 1000;
const FIRST_REST_MS = 20;
const MAX_REST_MS = 2_000;

export interface Standing {
  /** Its live generation is there at least, or was before a switch. */
  readonly position: Position;
  readonly isStopped: boolean;
}

interface Waiting {
  readonly name: string;
  readonly position: Position;
  readonly resolve: () => void;
  /** Kept here because a new connection clears the standings. */
  hasPassed: boolean;
}

/**
 * Lets a command answer when the projections that its caller will look at have passed its events. What it knows holds as long as it listens:
 * a server that crashed takes back commits that it had announced, since those of projections do not wait for the disk.
 */
export class ProjectionWaiter {
  private readonly options: ProjectionWaiterOptions;
  private readonly standings = new Map<string, Standing>();
  private readonly waiting = new Set<Waiting>();
  private readonly stopping = new AbortController();
  private readonly backOff = new BackOff(FIRST_REST_MS, MAX_REST_MS);
  /** While it listens. */
  private client: Client | undefined;
  private connections = 0;
  private check: Promise<void> | undefined;

  constructor(options: ProjectionWaiterOptions) {
    this.options = options;
  }

  /** How long a caller waits at most, unless it says otherwise. */
  get timeoutMs(): number {
    return this.options.patienceMs ?? PATIENCE_MS;
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
   * Stale where not all have passed: the timeout was over, or one of them is stopped (it is not waited for).
   * @throws RangeError for a name that is no projection
   */
  async waitFor(
    names: readonly string[],
    position: Position,
    timeoutMs = this.timeoutMs,
  ): Promise<{ stale: boolean }> {
    await this.know(names);
    const late = names.filter((name) => (this.standings.get(name)?.position ?? '') < position);
    const pending = late.filter((name) => !this.isDone(name, position));
    const waiting = pending.map((name) => this.register(name, position));
    const everyone = Promise.all(waiting.map(({ passed }) => passed)).then(() => undefined);
    const over = new AbortController();
    try {
      if (waiting.length > 0) await Promise.race([everyone, this.timeOver(timeoutMs, over.signal)]);
    } finally {
      over.abort();
      for (const { entry } of waiting) this.waiting.delete(entry);
    }
    return { stale: pending.length < late.length || waiting.some(({ entry }) => !entry.hasPassed) };
  }

  /** What is known without asking; undefined for what is no projection, and while nothing is heard. */
  standingOf(name: string): Standing | undefined {
    return this.client && this.standings.get(name);
  }

  /** Notifications do the work. The table is looked at again now and then, for the time in which the connection was lost. */
  private async timeOver(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const end = performance.now() + timeoutMs;
    for (let left = timeoutMs; left > 0; left = end - performance.now()) {
      await pause(Math.min(left, LOOK_MS), signal);
      if (signal.aborted) return;
      await this.lookOnce().catch(this.options.onError);
    }
  }

  /** However many wait, one look at a time. */
  private async lookOnce(): Promise<void> {
    this.check ??= this.look().finally(() => (this.check = undefined));
    await this.check;
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

  private async know(names: readonly string[]): Promise<void> {
    const isUnknown = (name: string): boolean => !this.standings.has(name);
    if (this.client && !names.some(isUnknown)) return;
    let [connections, unknown]: [number, string | undefined] = [-1, undefined];
    // What a new connection makes forgotten is asked for again.
    while (connections !== this.connections) {
      connections = this.connections;
      await this.look();
      unknown = names.find(isUnknown);
      if (unknown === undefined) return;
    }
    throw new RangeError(`there is no projection ${unknown}`);
  }

  /** LISTEN first and look afterwards: what commits in between is in one of the two. */
  private async listen(): Promise<void> {
    const client = this.options.connect();
    client.on('notification', ({ payload }) => {
      // Anybody with the database can write into the channel; nobody catches what a listener throws.
      try {
        this.hear(payload ?? '');
      } catch (error) {
        this.options.onError(error);
      }
    });
    client.on('error', this.options.onError);
    client.once('end', () => void this.reconnect(client).catch(this.options.onError));
    try {
      await client.connect();
      await client.query(`listen ${PROJECTION_CHANNEL}`);
      this.standings.clear();
      this.connections += 1;
      this.client = client;
      await this.look();
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
      // Also before the first try: a server may take connections and end them at once.
      await this.backOff.rest(signal);
      try {
        signal.throwIfAborted();
        await this.listen();
        return;
      } catch (error) {
        if (!this.stopping.signal.aborted) this.options.onError(error);
      }
    }
  }

  private hear(payload: string): void {
    this.backOff.reset();
    for (const one of payload.split(',')) {
      const separator = one.indexOf(':');
      const position = one.slice(separator + 1);
      if (separator > 0) this.note(one.slice(0, separator), position, position === '');
    }
  }

  private async look(): Promise<void> {
    const { rows } = await this.options.pool.query<{ name: string; position: Position; stopped: boolean }>(
      `select name, coalesce(position, '') as position, error is not null as stopped
       from read.projection_generations where status = 'live'`,
    );
    for (const { name, position, stopped } of rows) this.note(name, position, stopped);
  }

  /** News may overtake each other: while one server is listened to, a position only grows. */
  private note(name: string, position: Position, isStopped: boolean): void {
    const known = this.standingOf(name)?.position ?? '';
    const standing = { position: position > known ? position : known, isStopped };
    this.standings.set(name, standing);
    for (const entry of this.waiting) {
      if (entry.name !== name) continue;
      entry.hasPassed = standing.position >= entry.position;
      if (this.isDone(name, entry.position)) entry.resolve();
    }
  }

  private isDone(name: string, position: Position): boolean {
    const standing = this.standings.get(name);
    return standing !== undefined && (standing.isStopped || standing.position >= position);
  }
}

import { DatabaseError } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type {
  NameSearch,
  PostHit,
  PostSearch,
  QuestionSearch,
  SearchEngine,
  TopicNameSearch,
} from '../search-engine.js';

/** A query for the thread; `warmUp` has no result. */
export type ThreadQuery =
  | {
      readonly [K in keyof SearchEngine]: {
        readonly kind: K;
        readonly search: Parameters<SearchEngine[K]>[0];
      };
    }[keyof SearchEngine]
  | { readonly kind: 'warmUp' };

export type ThreadRequest = (ThreadQuery & { readonly id: number }) | { readonly kind: 'close' };

export type ThreadResponse = { readonly id: number } & (
  | { readonly found: unknown }
  | { readonly failure: SerializedError }
);

export interface ThreadConnection {
  readonly url: string;
  /** Application name in `pg_stat_activity`. */
  readonly name: string;
}

/** The parts of an error that must survive structured cloning, which loses its class and most fields. */
interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly isDatabaseError: boolean;
  readonly code: string | undefined;
  /** Identifies network errors. */
  readonly syscall: string | undefined;
}

export function serializeError(error: unknown): SerializedError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const fields = error as Partial<Record<'code' | 'syscall', unknown>> | undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    ...{ name, message, stack },
    isDatabaseError: error instanceof DatabaseError,
    code: text(fields?.code),
    syscall: text(fields?.syscall),
  };
}

/** Restores what callers need to classify an error and decide whether to retry. */
function deserializeError({ isDatabaseError, message, ...fields }: SerializedError): Error {
  const error = isDatabaseError ? new DatabaseError(message, message.length, 'error') : new Error(message);
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined)
      Object.defineProperty(error, field, { value, configurable: true, writable: true, enumerable: false });
  }
  return error;
}

interface ThreadedSearchOptions extends ThreadConnection {
  /** Called if the thread exits unexpectedly. The next search starts a new one. */
  readonly onLost: (error: unknown) => void;
}

/** Closing connections takes moments; shutdown does not wait longer. */
const CLOSE_TIMEOUT_MS = 1_000;

/** The embedded engine in its own thread, so that searches do not delay other requests. The first search starts the thread. */
export class ThreadedSearch implements SearchEngine {
  private thread: SearchThread | undefined;
  private isClosed = false;

  constructor(private readonly options: ThreadedSearchOptions) {}

  get isRunning(): boolean {
    return this.thread?.isOver === false;
  }

  findQuestions(search: QuestionSearch): Promise<readonly PostHit[]> {
    return this.ask({ kind: 'findQuestions', search });
  }

  findAnswers(search: PostSearch): Promise<readonly PostHit[]> {
    return this.ask({ kind: 'findAnswers', search });
  }

  findTopics(search: TopicNameSearch): Promise<readonly string[]> {
    return this.ask({ kind: 'findTopics', search });
  }

  findPeople(search: NameSearch): Promise<readonly string[]> {
    return this.ask({ kind: 'findPeople', search });
  }

  /** Brings the in-memory index up to date, so that the next search need not wait for it. */
  warmUp(): Promise<void> {
    return this.ask({ kind: 'warmUp' });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.thread?.close();
  }

  /** Retries once if the thread exits before it answers. */
  private async ask<Found>(query: ThreadQuery): Promise<Found> {
    try {
      return await this.running().ask<Found>(query);
    } catch (error) {
      if (!(error instanceof ThreadLostError)) throw error;
      return this.running().ask<Found>(query);
    }
  }

  private running(): SearchThread {
    if (this.isClosed) throw new Error('The search engine is closed.');
    if (this.thread?.isOver !== false) this.thread = new SearchThread(this.options);
    return this.thread;
  }
}

export class ThreadLostError extends Error {
  override readonly name = 'ThreadLostError';
}

interface PendingQuery {
  readonly resolve: (found: unknown) => void;
  readonly reject: (error: unknown) => void;
}

class SearchThread {
  isOver = false;
  private readonly worker: Worker;
  private readonly pending = new Map<number, PendingQuery>();
  private lastId = 0;
  private isClosing = false;

  constructor({ url, name, onLost }: ThreadedSearchOptions) {
    const connection: ThreadConnection = { url, name };
    this.worker = new Worker(ENTRY_POINT, { workerData: connection, execArgv: [...LOADER_ARGS] });
    this.worker.unref();
    let cause: unknown;
    this.worker.on('error', (error: unknown) => (cause = error));
    this.worker.on('message', (message: ThreadResponse) => this.receive(message));
    this.worker.on('exit', (code) => {
      this.isOver = true;
      const lost = new ThreadLostError(`the search thread exited with code ${code}`, { cause });
      if (!this.isClosing) onLost(lost);
      for (const { reject } of this.pending.values()) reject(lost);
      this.pending.clear();
    });
  }

  ask<Found>(query: ThreadQuery): Promise<Found> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise<Found>((resolve, reject) => {
      this.pending.set(id, { resolve: resolve as PendingQuery['resolve'], reject });
      // Keeps the process alive until the answer arrives.
      this.worker.ref();
      this.send({ id, ...query });
    });
  }

  async close(): Promise<void> {
    if (this.isOver) return;
    this.isClosing = true;
    const ended = new Promise((resolve) => this.worker.once('exit', resolve));
    this.send({ kind: 'close' });
    await Promise.race([ended, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    await this.worker.terminate();
  }

  private send(message: ThreadRequest): void {
    this.worker.postMessage(message);
  }

  private receive(message: ThreadResponse): void {
    const query = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (this.pending.size === 0) this.worker.unref();
    if ('failure' in message) query?.reject(deserializeError(message.failure));
    else query?.resolve(message.found);
  }
}

const IS_BUILT = import.meta.url.endsWith('.js');
const BUILT_ENTRY_POINT = 'search-thread.js';
/** The build puts it next to the entry points, and shared code such as this file one folder below (scripts/build-api.mjs). */
const ENTRY_POINT = IS_BUILT
  ? new URL(
      import.meta.url.includes('/chunks/') ? `../${BUILT_ENTRY_POINT}` : BUILT_ENTRY_POINT,
      import.meta.url,
    )
  : new URL('search-thread.ts', import.meta.url);
/** Tests and benchmarks run the TypeScript sources. */
const LOADER_ARGS: readonly string[] = IS_BUILT
  ? []
  : ['--import', new URL('../../../../scripts/typescript.mjs', import.meta.url).href];

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

/** What the thread is asked; `warmUp` has nothing to say. */
export type Asked =
  | {
      readonly [K in keyof SearchEngine]: {
        readonly kind: K;
        readonly search: Parameters<SearchEngine[K]>[0];
      };
    }[keyof SearchEngine]
  | { readonly kind: 'warmUp' };

export type ToThread = (Asked & { readonly id: number }) | { readonly kind: 'close' };

export type FromThread = { readonly id: number } & (
  | { readonly found: unknown }
  | { readonly failure: CarriedError }
);

export interface ThreadConnection {
  readonly url: string;
  /** As pg_stat_activity shows it. */
  readonly name: string;
}

/** What is kept of an error that goes from one thread to another, where its class and most of its fields are lost. */
interface CarriedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly isOfDatabase: boolean;
  readonly code: string | undefined;
  /** By which errors of the network are told. */
  readonly syscall: string | undefined;
}

export function carried(error: unknown): CarriedError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const fields = error as Partial<Record<'code' | 'syscall', unknown>> | undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    ...{ name, message, stack },
    isOfDatabase: error instanceof DatabaseError,
    code: text(fields?.code),
    syscall: text(fields?.syscall),
  };
}

/** As good as the original for whoever asks what kind of error it is, and whether the same may go well in a moment. */
function broughtBack({ isOfDatabase, message, ...fields }: CarriedError): Error {
  const error = isOfDatabase ? new DatabaseError(message, message.length, 'error') : new Error(message);
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined)
      Object.defineProperty(error, field, { value, configurable: true, writable: true, enumerable: false });
  }
  return error;
}

interface ThreadedSearchOptions extends ThreadConnection {
  /** Told of a thread that ended by itself; the next search has another one. */
  readonly onLost: (error: unknown) => void;
}

/** Connections are given back within moments; whoever ends the process does not wait for more. */
const CLOSES_WITHIN_MS = 1_000;

/** The embedded engine in a thread of its own, so that whoever asks for anything else does not wait for a search. It is begun by the first one. */
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

  /** Brings what changed since the last call into the thread's memory, so that the next search does not wait for it. */
  warmUp(): Promise<void> {
    return this.ask({ kind: 'warmUp' });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.thread?.close();
  }

  /** A search is asked once more where its thread ended before it had answered. */
  private async ask<Found>(asked: Asked): Promise<Found> {
    try {
      return await this.running().ask<Found>(asked);
    } catch (error) {
      if (!(error instanceof ThreadLostError)) throw error;
      return this.running().ask<Found>(asked);
    }
  }

  private running(): SearchThread {
    if (this.isClosed) throw new Error('The search has ended.');
    if (this.thread?.isOver !== false) this.thread = new SearchThread(this.options);
    return this.thread;
  }
}

export class ThreadLostError extends Error {
  override readonly name = 'ThreadLostError';
}

interface Waiting {
  readonly resolve: (found: unknown) => void;
  readonly reject: (error: unknown) => void;
}

class SearchThread {
  isOver = false;
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private isClosing = false;

  constructor({ url, name, onLost }: ThreadedSearchOptions) {
    const connection: ThreadConnection = { url, name };
    this.worker = new Worker(PROGRAM, { workerData: connection, execArgv: [...HOW_TO_READ_IT] });
    this.worker.unref();
    let cause: unknown;
    this.worker.on('error', (error: unknown) => (cause = error));
    this.worker.on('message', (message: FromThread) => this.hear(message));
    this.worker.on('exit', (code) => {
      this.isOver = true;
      const lost = new ThreadLostError(`the search thread ended with code ${code}`, { cause });
      if (!this.isClosing) onLost(lost);
      for (const { reject } of this.waiting.values()) reject(lost);
      this.waiting.clear();
    });
  }

  ask<Found>(asked: Asked): Promise<Found> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise<Found>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      // Whoever waits for nothing else waits for the answer.
      this.worker.ref();
      this.send({ id, ...asked });
    });
  }

  async close(): Promise<void> {
    if (this.isOver) return;
    this.isClosing = true;
    const ended = new Promise((resolve) => this.worker.once('exit', resolve));
    this.send({ kind: 'close' });
    await Promise.race([ended, delay(CLOSES_WITHIN_MS, undefined, { ref: false })]);
    await this.worker.terminate();
  }

  private send(message: ToThread): void {
    this.worker.postMessage(message);
  }

  private hear(message: FromThread): void {
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (this.waiting.size === 0) this.worker.unref();
    if ('failure' in message) waiting?.reject(broughtBack(message.failure));
    else waiting?.resolve(message.found);
  }
}

const IS_BUILT = import.meta.url.endsWith('.js');
const BUILT_PROGRAM = 'search-thread.js';
/** Built, it lies beside the programs (scripts/build-api.mjs), and what they share, as this, one folder below. */
const PROGRAM = IS_BUILT
  ? new URL(import.meta.url.includes('/chunks/') ? `../${BUILT_PROGRAM}` : BUILT_PROGRAM, import.meta.url)
  : new URL('search-thread.ts', import.meta.url);
/** Tests and measurements run what is not built. */
const HOW_TO_READ_IT: readonly string[] = IS_BUILT
  ? []
  : ['--import', new URL('../../../../scripts/typescript.mjs', import.meta.url).href];

import pg, { DatabaseError } from 'pg';
import { Socket } from 'node:net';
import { kindOfError } from '../error-kind.js';
import { EventStoreUnavailableError } from '../port.js';

/** After a broken socket or a timeout it is unknown whether anything was written. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || error.code === undefined) return true;
  const kind = kindOfError(error);
  return kind === 'away' || kind === 'busy';
}

export function asStoreError(error: unknown): unknown {
  if (error instanceof EventStoreUnavailableError || !isTransient(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new EventStoreUnavailableError(`the event log is unavailable: ${reason}`, { cause: error });
}

type WriteCallback = (error?: Error | null) => void;

/**
 * A socket that sends all writes of one event loop turn together. `pg` writes each statement separately, which costs one system call and
 * one wake-up of the server per statement.
 */
export class BatchingSocket extends Socket {
  private isBatching = false;

  override connect(...args: unknown[]): this {
    super.connect(...(args as Parameters<Socket['connect']>));
    // `connect` sets an own `write` property, which would shadow the method of this class.
    delete (this as Partial<Pick<Socket, 'write'>>).write;
    return this;
  }

  override write(
    chunk: Uint8Array | string,
    encoding?: BufferEncoding | WriteCallback,
    onWritten?: WriteCallback,
  ): boolean {
    if (!this.isBatching) {
      this.isBatching = true;
      this.cork();
      // Runs after the microtasks of this turn, which may write more.
      process.nextTick(() => {
        this.isBatching = false;
        this.uncork();
      });
    }
    return typeof encoding === 'string'
      ? super.write(chunk, encoding, onWritten)
      : super.write(chunk, encoding);
  }
}

const noop = (): void => undefined;

/**
 * A pool whose connections may break at any time. `pg` handles errors of idle connections only: one that broke between two statements of a
 * client would crash the process. With this pool, the client's next statement fails instead.
 * @param onIdleError called when an idle connection breaks; the pool opens a new one for the next query
 */
export function openPool(options: pg.PoolConfig, onIdleError: (error: Error) => void = noop): pg.Pool {
  const pool = new pg.Pool(options);
  pool.on('connect', (client) => client.on('error', noop));
  pool.on('error', onIdleError);
  return pool;
}

/** For connections that send statements without waiting for earlier responses. */
export const PIPELINED = {
  pipeline: true,
  stream: () => new BatchingSocket(),
} as const satisfies pg.ClientConfig;

/** A connection that can break without crashing the process: its next statement fails instead. */
export function newClient(options: pg.ClientConfig): pg.Client {
  const client = new pg.Client(options);
  client.on('error', noop);
  return client;
}

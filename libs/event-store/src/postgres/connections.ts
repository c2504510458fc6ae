import pg, { DatabaseError } from 'pg';
import { Socket } from 'node:net';
import { kindOfError } from '../error-kind.js';
import { EventStoreUnavailableError } from '../port.js';

/** What is no answer of the server (a broken socket, a time-out) leaves open whether anything was written. */
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

type Written = (error?: Error | null) => void;

/**
 * A connection to PostgreSQL that sends what is written in one turn of the event loop at once. `pg` writes each statement by itself; of those
 * that go out together, each would wake the server and cost a call of the system.
 */
export class GatheringSocket extends Socket {
  private isGathering = false;

  override connect(...given: unknown[]): this {
    super.connect(...(given as Parameters<Socket['connect']>));
    // Connecting puts the `write` of all sockets before this class's.
    delete (this as Partial<Pick<Socket, 'write'>>).write;
    return this;
  }

  override write(
    chunk: Uint8Array | string,
    encoding?: BufferEncoding | Written,
    written?: Written,
  ): boolean {
    if (!this.isGathering) {
      this.isGathering = true;
      this.cork();
      // After the promises of this turn, which send more.
      process.nextTick(() => {
        this.isGathering = false;
        this.uncork();
      });
    }
    return typeof encoding === 'string'
      ? super.write(chunk, encoding, written)
      : super.write(chunk, encoding);
  }
}

const nobody = (): void => undefined;

/**
 * A pool whose connections may break at any moment. `pg` listens for them only while they are idle: one that breaks between two statements of
 * whoever holds it, or just before it is handed over, would end the process. The holder's next statement fails, which is where that is dealt with.
 *
 * @param onIdleError told of an idle connection that broke; the pool opens another at the next query
 */
export function openPool(options: pg.PoolConfig, onIdleError: (error: Error) => void = nobody): pg.Pool {
  const pool = new pg.Pool(options);
  pool.on('connect', (client) => client.on('error', nobody));
  pool.on('error', onIdleError);
  return pool;
}

/** For connections that are sent several statements before they have answered the first. */
export const PIPELINED = {
  pipeline: true,
  stream: () => new GatheringSocket(),
} as const satisfies pg.ClientConfig;

/** One connection, which may break at any moment without ending the process: its next statement fails. */
export function newClient(options: pg.ClientConfig): pg.Client {
  const client = new pg.Client(options);
  client.on('error', nobody);
  return client;
}

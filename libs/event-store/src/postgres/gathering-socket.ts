import { Socket } from 'node:net';

type Written = (error?: Error | null) => void;

/**
 * A connection to PostgreSQL that sends what is written in one turn of the event loop at once. `pg` writes each statement by itself; of those
 * that go out together, each would wake the server and cost a call of the system.
 */
export class GatheringSocket extends Socket {
  #isGathering = false;

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
    if (!this.#isGathering) {
      this.#isGathering = true;
      this.cork();
      // After the promises of this turn, which send more.
      process.nextTick(() => {
        this.#isGathering = false;
        this.uncork();
      });
    }
    return typeof encoding === 'string'
      ? super.write(chunk, encoding, written)
      : super.write(chunk, encoding);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** A keep-alive connection unused for this long is considered idle. */
const IDLE_MS = 1_500;
const POLL_MS = 20;

/** Counts requests in flight, for a graceful shutdown. */
export class RequestsInFlight {
  private count = 0;
  private lastAt = 0;
  private isLeaving = false;

  constructor(private readonly server: FastifyInstance) {
    server.addHook('onRequest', (_request, reply, done) => {
      this.count += 1;
      this.lastAt = performance.now();
      // Also emitted when the client disconnects early.
      reply.raw.once('close', () => {
        this.count -= 1;
      });
      done();
    });
    server.addHook('onSend', (_request, reply, payload, done) => {
      if (this.isLeaving) void reply.header('connection', 'close');
      done(null, payload);
    });
  }

  /** Sends `Connection: close` with every response from now on, so that clients reconnect to another process. */
  closeConnections(): void {
    this.isLeaving = true;
    this.lastAt = performance.now();
  }

  /** Waits for requests in flight. @returns how many remain after the timeout */
  async drain(timeoutMs: number): Promise<number> {
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      if (this.count === 0 && ((await this.hasNoConnections()) || performance.now() - this.lastAt > IDLE_MS))
        return 0;
      await delay(POLL_MS);
    }
    return this.count;
  }

  /** Whether every connection is closed. */
  private hasNoConnections(): Promise<boolean> {
    return new Promise((resolve) => {
      this.server.server.getConnections((error, open) => resolve(!error && open === 0));
    });
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Whoever keeps a connection and did not use it for that long is not about to. */
const QUIET_MS = 1_500;
const LOOK_EVERY_MS = 20;

/** Counts the requests that are being answered, so that a process can end between two of them. */
export class RequestsAtHand {
  private count = 0;
  private lastAt = 0;
  private isLeaving = false;

  constructor(private readonly server: FastifyInstance) {
    server.addHook('onRequest', (_request, reply, done) => {
      this.count += 1;
      this.lastAt = performance.now();
      // Comes also where the client left before its answer did.
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

  /** From now on every answer asks its client to come with another connection, and so to another process. */
  leave(): void {
    this.isLeaving = true;
    this.lastAt = performance.now();
  }

  /** @returns how many are still unanswered when the patience is over; none as a rule */
  async end(patienceMs: number): Promise<number> {
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      if (this.count === 0 && ((await this.isAlone()) || performance.now() - this.lastAt > QUIET_MS))
        return 0;
      await delay(LOOK_EVERY_MS);
    }
    return this.count;
  }

  /** Every connection was closed by its client. */
  private isAlone(): Promise<boolean> {
    return new Promise((resolve) => {
      this.server.server.getConnections((error, open) => resolve(!error && open === 0));
    });
  }
}

import type { Readable } from 'node:stream';
import type { ClientKey } from '../rate-limit/client-key.js';

export interface BodyLimits {
  /** Of all that are being read at once. */
  readonly bytes: number;
  /** Of those of one client. */
  readonly clientBytes: number;
  /** For each. */
  readonly patienceMs: number;
}

interface Body {
  readonly client: ClientKey;
  readonly stream: Readable;
  readonly until: number;
  bytes: number;
}

const LOOK_MS = 1_000;

/** Bodies that are being read: what has come of them is kept in memory until the rest is there, which some never send. */
export class BodyBudget {
  private readonly bodies = new Set<Body>();
  private readonly clients = new Map<ClientKey, number>();
  private total = 0;
  private readonly looking: NodeJS.Timeout;

  constructor(private readonly limits: BodyLimits) {
    this.looking = setInterval(() => this.endLate(), LOOK_MS).unref();
  }

  get bytes(): number {
    return this.total;
  }

  /** Counts what comes, and ends the connection of a body that is too late, or too much beside the others. */
  watch(stream: Readable, client: ClientKey): void {
    const body: Body = { client, stream, until: performance.now() + this.limits.patienceMs, bytes: 0 };
    this.bodies.add(body);
    stream.on('data', (chunk: Buffer) => this.count(body, chunk.length));
    const done = (): void => this.release(body);
    stream.once('end', done).once('close', done).once('error', done);
  }

  /** Takes all of a body at once, before any of it is read. @returns false while there is no room for it */
  reserve(bytes: number, client: ClientKey): boolean {
    if (!this.hasRoom(bytes, client)) return false;
    this.add(client, bytes);
    return true;
  }

  giveBack(bytes: number, client: ClientKey): void {
    this.add(client, -bytes);
  }

  close(): void {
    clearInterval(this.looking);
  }

  private count(body: Body, bytes: number): void {
    if (!this.bodies.has(body)) return;
    const fits = this.hasRoom(bytes, body.client);
    body.bytes += bytes;
    this.add(body.client, bytes);
    if (!fits) body.stream.destroy(new Error('too many bodies at once'));
  }

  private hasRoom(bytes: number, client: ClientKey): boolean {
    const { limits, total, clients } = this;
    return total + bytes <= limits.bytes && (clients.get(client) ?? 0) + bytes <= limits.clientBytes;
  }

  private add(client: ClientKey, bytes: number): void {
    this.total += bytes;
    const left = (this.clients.get(client) ?? 0) + bytes;
    if (left > 0) this.clients.set(client, left);
    else this.clients.delete(client);
  }

  private release(body: Body): void {
    if (!this.bodies.delete(body)) return;
    this.add(body.client, -body.bytes);
  }

  private endLate(): void {
    const now = performance.now();
    for (const body of this.bodies)
      if (body.until < now) body.stream.destroy(new Error('a body that did not come'));
  }
}

import { ApiError } from '../errors/api-error.js';

const MEBIBYTE = 1024 * 1024;

export interface TurnLimits {
  /** That wait for their turn, over all and of one client. */
  readonly waiting: number;
  readonly waitingEach: number;
  /** Bytes that they hold meanwhile. */
  readonly bytes: number;
  readonly bytesEach: number;
  readonly patienceMs: number;
  /** Turns follow each other until they took so long together; then as long is left to everybody else. */
  readonly sliceMs: number;
}

const TURN_LIMITS: TurnLimits = {
  waiting: 5_000,
  waitingEach: 2_000,
  bytes: 32 * MEBIBYTE,
  bytesEach: 8 * MEBIBYTE,
  patienceMs: 10_000,
  sliceMs: 5,
};

interface Waiting {
  readonly client: string;
  readonly bytes: number;
  readonly admit: () => void;
}

interface Queue {
  readonly waiting: Set<Waiting>;
  bytes: number;
}

/**
 * Work that holds up the process is done one piece after the other, a client's after another's, and the process serves everybody else in between:
 * twenty pieces that come at once would otherwise be done in one go.
 */
export class Turns {
  private readonly queues = new Map<string, Queue>();
  private count = 0;
  private bytes = 0;
  private isGoing = false;
  private tookMs = 0;

  constructor(private readonly limits: TurnLimits = TURN_LIMITS) {}

  get waiting(): number {
    return this.count;
  }

  /**
   * Whoever is let in does their work before they wait for anything else.
   *
   * @param bytes what they hold while they wait
   * @param gone aborts when the client no longer waits
   * @throws ApiError where too many wait already, or the turn does not come in time
   */
  enter(client: string, bytes: number, gone: AbortSignal): Promise<void> {
    const { limits } = this;
    const own = this.queues.get(client);
    if (own && (own.waiting.size >= limits.waitingEach || own.bytes + bytes > limits.bytesEach))
      return Promise.reject(tooMany('TOO_MANY_REQUESTS'));
    if (this.count >= limits.waiting || this.bytes + bytes > limits.bytes)
      return Promise.reject(tooMany('UNAVAILABLE'));
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        end();
        this.remove(waiting);
        reject(tooMany('UNAVAILABLE'));
      };
      const timer = setTimeout(giveUp, limits.patienceMs).unref();
      const end = (): void => {
        clearTimeout(timer);
        gone.removeEventListener('abort', giveUp);
      };
      const waiting: Waiting = {
        client,
        bytes,
        admit: () => {
          end();
          resolve();
        },
      };
      this.add(waiting);
      if (gone.aborted) giveUp();
      else gone.addEventListener('abort', giveUp);
      this.go();
    });
  }

  private go(): void {
    if (this.isGoing) return;
    this.isGoing = true;
    this.pass();
  }

  /** Both in one phase of the event loop: what the promises of a turn do is over before the second, and nothing else happened. */
  private pass(): void {
    let began: number | undefined;
    setImmediate(() => {
      const first = this.take();
      if (!first) return;
      began = performance.now();
      first.admit();
    });
    setImmediate(() => {
      if (began === undefined) this.isGoing = false;
      else this.rest(performance.now() - began);
    });
  }

  private rest(tookMs: number): void {
    this.tookMs += tookMs;
    if (this.tookMs < this.limits.sliceMs) {
      this.pass();
      return;
    }
    setTimeout(() => this.pass(), this.tookMs);
    this.tookMs = 0;
  }

  /** The next of the client who was not served for longest. */
  private take(): Waiting | undefined {
    for (const [client, queue] of this.queues) {
      const [first] = queue.waiting;
      if (!first) continue;
      this.remove(first);
      if (this.queues.delete(client)) this.queues.set(client, queue);
      return first;
    }
    return undefined;
  }

  private add(waiting: Waiting): void {
    const queue = this.queues.get(waiting.client) ?? { waiting: new Set(), bytes: 0 };
    this.queues.set(waiting.client, queue);
    queue.waiting.add(waiting);
    queue.bytes += waiting.bytes;
    this.count += 1;
    this.bytes += waiting.bytes;
  }

  private remove(waiting: Waiting): void {
    const queue = this.queues.get(waiting.client);
    if (!queue?.waiting.delete(waiting)) return;
    queue.bytes -= waiting.bytes;
    this.count -= 1;
    this.bytes -= waiting.bytes;
    if (queue.waiting.size === 0) this.queues.delete(waiting.client);
  }
}

const tooMany = (code: 'TOO_MANY_REQUESTS' | 'UNAVAILABLE'): ApiError =>
  new ApiError(code, 'Too many requests wait to be read. Try again in a moment.', {
    rule: 'READINGS_AT_ONCE',
  });

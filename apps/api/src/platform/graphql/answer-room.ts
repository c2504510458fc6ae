import { ApiError } from '../errors/api-error.js';

const MEBIBYTE = 1024 * 1024;

export interface RoomLimits {
  /** Bytes that all answers may hold which are being built. */
  readonly whole: number;
  /** Of it for one client: whoever asks for much at once waits for themselves. */
  readonly each: number;
  /** Requests that wait for room. */
  readonly waiting: number;
  readonly waitingEach: number;
  readonly patienceMs: number;
}

/** Five pages with a hundred of the longest answers each; each takes some five times its bytes while it is built. */
export const ROOM_LIMITS: RoomLimits = {
  whole: 40 * MEBIBYTE,
  each: 16 * MEBIBYTE,
  waiting: 1_000,
  waitingEach: 100,
  patienceMs: 10_000,
};

interface Waiting {
  readonly client: string;
  readonly bytes: number;
  readonly admit: () => void;
}

export type Leave = () => void;

/** Bounds what is built at once, whoever asks: requests beyond it wait in order, as long as somebody would. */
export class AnswerRoom {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();
  private readonly queue = new Set<Waiting>();

  constructor(private readonly limits: RoomLimits = ROOM_LIMITS) {}

  get bytes(): number {
    return this.taken;
  }

  get waiting(): number {
    return this.queue.size;
  }

  /**
   * @param goneOf makes what aborts when the client no longer waits; asked for by those alone who have to wait
   * @returns what is to be called once the answer is built
   * @throws ApiError where there is no room in time
   */
  enter(client: string, bytes: number, goneOf: () => AbortSignal): Promise<Leave> {
    // More than a client's share would wait for ever.
    const asked = Math.min(bytes, this.limits.each);
    if (this.queue.size === 0 && this.fits(client, asked)) return Promise.resolve(this.take(client, asked));
    return this.wait(client, asked, goneOf());
  }

  private fits(client: string, bytes: number): boolean {
    return this.fitsShare(client, bytes) && this.taken + bytes <= this.limits.whole;
  }

  private fitsShare(client: string, bytes: number): boolean {
    return (this.takenBy.get(client) ?? 0) + bytes <= this.limits.each;
  }

  private take(client: string, bytes: number): Leave {
    this.taken += bytes;
    this.takenBy.set(client, (this.takenBy.get(client) ?? 0) + bytes);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.taken -= bytes;
      const left = (this.takenBy.get(client) ?? 0) - bytes;
      if (left > 0) this.takenBy.set(client, left);
      else this.takenBy.delete(client);
      this.admitThoseThatFit();
    };
  }

  private async wait(client: string, bytes: number, gone: AbortSignal): Promise<Leave> {
    const own = [...this.queue].filter((waiting) => waiting.client === client).length;
    if (own >= this.limits.waitingEach) throw tooMany('TOO_MANY_REQUESTS');
    if (this.queue.size >= this.limits.waiting) throw tooMany('UNAVAILABLE');
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        end();
        reject(tooMany('UNAVAILABLE'));
        this.admitThoseThatFit();
      };
      const timer = setTimeout(giveUp, this.limits.patienceMs).unref();
      const end = (): void => {
        clearTimeout(timer);
        gone.removeEventListener('abort', giveUp);
        this.queue.delete(waiting);
      };
      const admit = (): void => {
        end();
        resolve(this.take(client, bytes));
      };
      const waiting: Waiting = { client, bytes, admit };
      this.queue.add(waiting);
      if (gone.aborted) giveUp();
      else gone.addEventListener('abort', giveUp);
      // Those in front may wait for themselves alone.
      this.admitThoseThatFit();
    });
  }

  /** In order, except that whoever has used up their share is passed over. */
  private admitThoseThatFit(): void {
    for (const waiting of [...this.queue]) {
      if (!this.fitsShare(waiting.client, waiting.bytes)) continue;
      if (this.taken + waiting.bytes > this.limits.whole) return;
      waiting.admit();
    }
  }
}

const tooMany = (code: 'TOO_MANY_REQUESTS' | 'UNAVAILABLE'): ApiError =>
  new ApiError(code, 'Too many large answers are asked for at once. Try again in a moment.', {
    rule: 'ANSWERS_AT_ONCE',
  });

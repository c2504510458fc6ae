import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { answerBytes } from './answer-bytes.js';
import { AnswerRoom, type Leave } from './answer-room.js';
import { UnreadAnswers } from './unread-answers.js';

const LIMITS = { whole: 100, each: 60, waiting: 3, waitingEach: 2, patienceMs: 60_000 };
const here = (): AbortSignal => new AbortController().signal;

/** Who is in, in the order of coming in. */
function visitorsOf(room: AnswerRoom) {
  const inside: string[] = [];
  const enter = (client: string, bytes: number, gone = here): Promise<Leave> =>
    room.enter(client, bytes, gone).then((leave) => {
      inside.push(client);
      return leave;
    });
  return { inside, enter };
}

describe('the room for answers', () => {
  it('lets in what fits, and the next when somebody leaves, in order', async () => {
    const room = new AnswerRoom(LIMITS);
    const { inside, enter } = visitorsOf(room);
    const leave = await enter('a', 60);
    const [, c] = [void enter('b', 60), enter('c', 10)];
    await turn();
    expect(inside).toEqual(['a']);
    leave();
    leave();
    await c;
    expect(inside).toEqual(['a', 'b', 'c']);
    expect(room.bytes).toBe(70);
  });

  it('makes a client wait for itself and for nobody else', async () => {
    const room = new AnswerRoom(LIMITS);
    const { inside, enter } = visitorsOf(room);
    const leave = await enter('a', 60);
    const again = enter('a', 60);
    await turn();
    void enter('b', 30);
    await turn();
    expect(inside).toEqual(['a', 'b']);
    leave();
    await again;
    expect(inside).toEqual(['a', 'b', 'a']);
  });

  it('refuses beyond those that may wait, by client and over all', async () => {
    const room = new AnswerRoom(LIMITS);
    await room.enter('a', 60, here);
    await room.enter('b', 40, here);
    const gone = new AbortController();
    const waiting = ['a', 'a'].map((client) => room.enter(client, 50, () => gone.signal));
    await expect(room.enter('a', 50, here)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    waiting.push(room.enter('c', 50, () => gone.signal));
    const refused = { code: 'UNAVAILABLE', details: { rule: 'ANSWERS_AT_ONCE' } };
    await expect(room.enter('d', 50, here)).rejects.toMatchObject(refused);
    expect(room.waiting).toBe(3);
    gone.abort();
    const ends = await Promise.allSettled(waiting);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('forgets who waits no longer', async () => {
    const room = new AnswerRoom(LIMITS);
    const gone = new AbortController();
    const leave = await room.enter('a', 60, here);
    const waiting = room.enter('b', 60, () => gone.signal);
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(room.enter('b', 60, () => gone.signal)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    leave();
    expect([room.bytes, room.waiting]).toEqual([0, 0]);
  });

  it('asks only those who have to wait how they will be known to be gone', async () => {
    const room = new AnswerRoom(LIMITS);
    let asked = 0;
    const goneOf = (): AbortSignal => {
      asked += 1;
      return here();
    };
    const leave = await room.enter('a', 60, goneOf);
    expect(asked).toBe(0);
    const waiting = room.enter('b', 60, goneOf);
    leave();
    await waiting;
    expect(asked).toBe(1);
  });

  it('ends a wait that lasts too long', async () => {
    const room = new AnswerRoom({ ...LIMITS, patienceMs: 5 });
    await room.enter('a', 60, here);
    await expect(room.enter('b', 60, here)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(room.waiting).toBe(0);
  });

  it('takes what is larger than a share as the whole share', async () => {
    const room = new AnswerRoom(LIMITS);
    await room.enter('a', 1_000, here);
    expect(room.bytes).toBe(60);
  });
});

describe('the bytes of an answer', () => {
  it('are those of its JSON, about', () => {
    const answer = {
      data: { docs: Array.from({ length: 50 }, (_, n) => ({ _id: n, body: 'ü'.repeat(500) })) },
    };
    const written = Buffer.byteLength(JSON.stringify(answer));
    expect(answerBytes(answer, 1_000_000) / written).toBeCloseTo(1, 1);
  });

  it('are not counted beyond what is too much', () => {
    const read: number[] = [];
    const docs = Array.from({ length: 100 }, (_, n) => ({
      get body() {
        read.push(n);
        return 'x'.repeat(1_000);
      },
    }));
    expect(answerBytes({ docs }, 10_000)).toBeGreaterThan(10_000);
    expect(read.length).toBeLessThan(20);
  });
});

describe('answers that nobody takes', () => {
  class Response {
    destroyed = false;
    private closed = (): void => undefined;
    once(_event: string, listener: () => void): this {
      this.closed = listener;
      return this;
    }
    destroy(): this {
      this.destroyed = true;
      return this;
    }
    close(): void {
      this.closed();
    }
  }

  it('are dropped, the largest first, when they are too many', () => {
    const unread = new UnreadAnswers(100);
    const [small, large, next] = [new Response(), new Response(), new Response()];
    unread.hold(small, 20);
    unread.hold(large, 70);
    unread.hold(next, 30);
    expect([small.destroyed, large.destroyed, next.destroyed]).toEqual([false, true, false]);
    small.close();
    expect(unread.bytes).toBe(30);
  });
});

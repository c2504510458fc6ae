import { describe, expect, it } from '@jest/globals';
import { runAsCaller, type Caller, currentCaller } from './client-address.js';
import { ExpensiveWork, WORK_LIMITS } from './expensive-work.js';

const callerAt = (address: string, isDisconnected = () => false): Caller => ({
  address,
  userAgent: '',
  isDisconnected,
});
const [ADA, BOB] = [callerAt('192.0.2.1'), callerAt('192.0.2.2')];
const BUSY = { code: 'TOO_MANY_REQUESTS', params: { seconds: 5 } };

/** Two concurrent searches and two queued ones. */
const workOf = () => new ExpensiveWork({ ...WORK_LIMITS, search: { concurrency: 2, queueLength: 2 } });

/** Work that runs until ended by the test. */
function open() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

const settled = () => new Promise(setImmediate);

/** The outcome of a call, or 'waits' if it is pending. */
const outcomeOf = (call: Promise<unknown>): Promise<unknown> =>
  Promise.race([call.catch((error: unknown) => error), settled().then(() => 'waits')]);

describe('expensive work', () => {
  it('runs a limited number of calls concurrently, in order', async () => {
    const work = workOf();
    const { begun, work: named, end } = open();
    const results = ['a', 'b', 'c', 'd'].map((name) => work.run('search', named(name)));
    await settled();
    expect(begun).toEqual(['a', 'b']);
    end('b');
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    end('a');
    await settled();
    ['c', 'd'].forEach(end);
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('continues after failed work', async () => {
    const work = workOf();
    for (let round = 0; round < 5; round++)
      await expect(work.run('search', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await work.run('search', () => Promise.resolve('found'))).toBe('found');
  });

  it('rejects callers with a wait when the queue is full', async () => {
    const work = workOf();
    const { begun, work: named, end } = open();
    const admitted = ['a', 'b', 'c', 'd'].map((name) => work.run('search', named(name)));
    expect(await outcomeOf(work.run('search', named('e')))).toMatchObject(BUSY);
    await settled();
    end('a');
    await admitted[0];
    const next = work.run('search', named('f'));
    for (const name of ['b', 'c', 'd', 'f']) {
      await settled();
      end(name);
    }
    await Promise.all([...admitted, next]);
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'f']);
  });

  it('reserves half of the places for other clients', async () => {
    const work = workOf();
    const { work: named, end } = open();
    const first = work.run('search', named('a'), ADA);
    const second = work.run('search', named('b'), ADA);
    expect(await outcomeOf(work.run('search', named('c'), ADA))).toMatchObject(BUSY);
    const other = work.run('search', named('d'), BOB);
    await settled();
    end('a');
    await settled();
    end('b');
    await Promise.all([first, second]);
    const third = work.run('search', named('e'), ADA);
    await settled();
    ['d', 'e'].forEach(end);
    expect(await Promise.all([other, third])).toEqual(['d', 'e']);
  });

  it('uses at most half of the concurrency for one client', async () => {
    const work = new ExpensiveWork({ ...WORK_LIMITS, upload: { concurrency: 4, queueLength: 20 } });
    const { begun, work: named, end } = open();
    const calls = ['a', 'b', 'c', 'd', 'e'].map((name) => work.run('upload', named(name), ADA));
    calls.push(...['f', 'g'].map((name) => work.run('upload', named(name), BOB)));
    await settled();
    expect(begun).toEqual(['a', 'b', 'f', 'g']);
    for (const name of ['a', 'b', 'f', 'g', 'c', 'd', 'e']) {
      end(name);
      await settled();
    }
    expect(await Promise.all(calls)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('reports the kind of rejected work', async () => {
    const refused: string[] = [];
    const work = new ExpensiveWork({ ...WORK_LIMITS, search: { concurrency: 1, queueLength: 0 } }, (kind) =>
      refused.push(kind),
    );
    const { work: named, end } = open();
    const first = work.run('search', named('a'));
    expect(await outcomeOf(work.run('search', named('b')))).toMatchObject(BUSY);
    expect(refused).toEqual(['search']);
    end('a');
    await first;
  });

  it('is dropped, but not counted as rejected, when the caller disconnects while queued', async () => {
    const refused: string[] = [];
    const work = new ExpensiveWork({ ...WORK_LIMITS, search: { concurrency: 2, queueLength: 2 } }, (kind) =>
      refused.push(kind),
    );
    const { begun, work: named, end } = open();
    const running = ['a', 'b'].map((name) => work.run('search', named(name)));
    let hasLeft = false;
    const caller = callerAt('192.0.2.3', () => hasLeft);
    const left = runAsCaller(caller, () => work.run('search', named('c'))).catch((error: unknown) => error);
    const last = work.run('search', named('d'));
    await settled();
    hasLeft = true;
    ['a', 'b'].forEach(end);
    await Promise.all(running);
    expect(await outcomeOf(left)).toMatchObject(BUSY);
    await settled();
    end('d');
    await last;
    expect(begun).toEqual(['a', 'b', 'd']);
    expect(refused).toEqual([]);
  });

  it('keeps the caller in context after queueing', async () => {
    const work = workOf();
    const callers = await Promise.all(
      [ADA, BOB, ADA].map((caller) =>
        runAsCaller(caller, () => work.run('search', async () => Promise.resolve(currentCaller()))),
      ),
    );
    expect(callers).toEqual([ADA, BOB, ADA]);
  });

  it('is queued per kind', async () => {
    const work = workOf();
    const { begun, work: named, end } = open();
    const searches = ['a', 'b', 'c'].map((name) => work.run('search', named(name)));
    expect(await work.run('password', () => Promise.resolve('hash'))).toBe('hash');
    for (const name of ['a', 'b', 'c']) {
      await settled();
      end(name);
    }
    await Promise.all(searches);
    expect(begun).toEqual(['a', 'b', 'c']);
  });
});

describe('a place', () => {
  it('is held until released', async () => {
    const work = new ExpensiveWork({
      ...WORK_LIMITS,
      upload: { concurrency: 1, queueLength: 1, refusal: 'UPLOADS_BUSY' },
    });
    let leave: (() => void) | undefined;
    await work.enter('upload', new Promise<void>((resolve) => (leave = resolve)), ADA);
    let isIn = false;
    const second = work.enter('upload', Promise.resolve(), BOB).then(() => (isIn = true));
    expect(await outcomeOf(work.enter('upload', Promise.resolve(), callerAt('192.0.2.3')))).toMatchObject({
      code: 'UPLOADS_BUSY',
    });
    expect(isIn).toBe(false);
    leave?.();
    await second;
    expect(isIn).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import { LiveTopics, onlyWhile } from './live-topics.js';

interface Told {
  readonly n: number;
}

function topicsOf() {
  const used: boolean[] = [];
  return { used, topics: new LiveTopics<Told>((isUsed) => used.push(isUsed)) };
}

const [ONE, TWO, THREE] = [{ n: 1 }, { n: 2 }, { n: 3 }];
const OVER = { done: true, value: undefined };

describe('a topic', () => {
  it('tells each listener in order all that comes from the moment of listening, and the first value before', async () => {
    const { topics } = topicsOf();
    const early = topics.of('a', ONE);
    topics.tell('a', TWO);
    const late = topics.of('a');
    topics.tell('b', ONE);
    topics.tell('a', THREE);
    expect([await early.next(), await early.next(), await early.next()]).toEqual(
      [ONE, TWO, THREE].map((value) => ({ value })),
    );
    expect(await late.next()).toEqual({ value: THREE });
  });

  it('wakes who waits', async () => {
    const { topics } = topicsOf();
    const waiting = topics.of('a').next();
    topics.tell('a', ONE);
    expect(await waiting).toEqual({ value: ONE });
  });

  it('lets a listener go that waits for the next value, and forgets what it has not read', async () => {
    const { topics, used } = topicsOf();
    const listener = onlyWhile(topics.of('a'), () => true);
    const waiting = listener.next();
    expect(await listener.return?.()).toEqual(OVER);
    expect(await waiting).toEqual(OVER);
    const behind = topics.of('a', ONE);
    await behind.return?.();
    expect(await behind.next()).toEqual(OVER);
    expect(topics.all).toEqual([]);
    expect(used).toEqual([true, false, true, false]);
  });

  it('ends for all of its listeners when they have read what was told, and for no other', async () => {
    const { topics, used } = topicsOf();
    const [behind, waiting, other] = [topics.of('a', ONE), topics.of('a').next(), topics.of('b')];
    topics.end('a');
    expect([await behind.next(), await behind.next(), await waiting]).toEqual([{ value: ONE }, OVER, OVER]);
    expect(topics.all).toEqual(['b']);
    topics.tell('b', TWO);
    expect(await other.next()).toEqual({ value: TWO });
    expect(used).not.toContain(false);
  });

  it('tells nothing that comes while it may not be told', async () => {
    const { topics } = topicsOf();
    const odd = onlyWhile(topics.of('a'), ({ n }) => Promise.resolve(n % 2 === 1));
    for (const value of [TWO, THREE]) topics.tell('a', value);
    expect(await odd.next()).toEqual({ value: THREE });
  });
});

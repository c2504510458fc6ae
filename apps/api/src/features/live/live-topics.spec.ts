import { describe, expect, it } from '@jest/globals';
import { LiveTopics, filterValues } from './live-topics.js';

interface Value {
  readonly n: number;
}

function newTopics() {
  const used: boolean[] = [];
  return { used, topics: new LiveTopics<Value>((inUse) => used.push(inUse)) };
}

const [ONE, TWO, THREE] = [{ n: 1 }, { n: 2 }, { n: 3 }];
const OVER = { done: true, value: undefined };

describe('LiveTopics', () => {
  it('delivers the first value, then everything published since the subscription, in order', async () => {
    const { topics } = newTopics();
    const early = topics.subscribe('a', ONE);
    topics.publish('a', TWO);
    const late = topics.subscribe('a');
    topics.publish('b', ONE);
    topics.publish('a', THREE);
    expect([await early.next(), await early.next(), await early.next()]).toEqual(
      [ONE, TWO, THREE].map((value) => ({ value })),
    );
    expect(await late.next()).toEqual({ value: THREE });
  });

  it('wakes a waiting listener', async () => {
    const { topics } = newTopics();
    const waiting = topics.subscribe('a').next();
    topics.publish('a', ONE);
    expect(await waiting).toEqual({ value: ONE });
  });

  it('lets a waiting listener unsubscribe and drops its unread values', async () => {
    const { topics, used } = newTopics();
    const listener = filterValues(topics.subscribe('a'), () => true);
    const waiting = listener.next();
    expect(await listener.return?.()).toEqual(OVER);
    expect(await waiting).toEqual(OVER);
    const behind = topics.subscribe('a', ONE);
    await behind.return?.();
    expect(await behind.next()).toEqual(OVER);
    expect(topics.activeTopics).toEqual([]);
    expect(used).toEqual([true, false, true, false]);
  });

  it('ends only its own listeners, after their unread values', async () => {
    const { topics, used } = newTopics();
    const [behind, waiting, other] = [
      topics.subscribe('a', ONE),
      topics.subscribe('a').next(),
      topics.subscribe('b'),
    ];
    topics.end('a');
    expect([await behind.next(), await behind.next(), await waiting]).toEqual([{ value: ONE }, OVER, OVER]);
    expect(topics.activeTopics).toEqual(['b']);
    topics.publish('b', TWO);
    expect(await other.next()).toEqual({ value: TWO });
    expect(used).not.toContain(false);
  });

  it('skips values that the listener may not see', async () => {
    const { topics } = newTopics();
    const odd = filterValues(topics.subscribe('a'), ({ n }) => Promise.resolve(n % 2 === 1));
    for (const value of [TWO, THREE]) topics.publish('a', value);
    expect(await odd.next()).toEqual({ value: THREE });
  });
});

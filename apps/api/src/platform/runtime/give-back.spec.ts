import { describe, expect, it } from '@jest/globals';
import { givingBack } from './give-back.js';

function harness() {
  const seen = { held: 200, after: 100, busy: 0, collected: 0 };
  const look = givingBack({
    held: () => seen.held,
    utilization: () => seen.busy,
    collect: () => {
      seen.collected += 1;
      seen.held = seen.after;
    },
  });
  return { seen, look };
}

describe('giving memory back', () => {
  it('looks for garbage once a start is over', () => {
    const { seen, look } = harness();
    look();
    look();
    expect(seen.collected).toBe(1);
  });

  it('waits while there is something to do', () => {
    const { seen, look } = harness();
    seen.busy = 0.1;
    look();
    expect(seen.collected).toBe(0);
    seen.busy = 0;
    look();
    expect(seen.collected).toBe(1);
  });

  it('does so again after a burst, and not for a little', () => {
    const { seen, look } = harness();
    look();
    seen.held = 120;
    look();
    expect(seen.collected).toBe(1);
    seen.held = 180;
    look();
    expect(seen.collected).toBe(2);
  });

  it('returns what is garbage, as V8 does it', () => {
    const look = givingBack({ utilization: () => 0 });
    const weak = new WeakRef({ text: 'x'.repeat(1_000) });
    return new Promise<void>((resolve) => {
      setImmediate(() => {
        look();
        expect(weak.deref()).toBeUndefined();
        resolve();
      });
    });
  });
});

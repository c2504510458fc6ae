import { describe, expect, it } from '@jest/globals';
import { EndingStore, waitEventLoopTurns } from '@nimo/event-store/testing';
import { createLogger } from '../../platform/logging/logger.js';
import { LogFollower } from './log-follower.js';

describe('LogFollower', () => {
  it('waits before it resubscribes, even if the subscription ended without an error', async () => {
    const store = new EndingStore();
    const follower = new LogFollower(store, createLogger({ name: 'test', level: 'silent', console: false }));
    const reader = { read: () => Promise.resolve(), onGap: () => undefined };
    follower.setActive(reader, true);
    await waitEventLoopTurns();
    follower.setActive(reader, false);
    expect(store.subscriptionCount).toBeGreaterThan(0);
    expect(store.subscriptionCount).toBeLessThan(20);
  });
});

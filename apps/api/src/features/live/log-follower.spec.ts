import { describe, expect, it } from '@jest/globals';
import { EndingStore, someTurns } from '@nimo/event-store/testing';
import { createLogger } from '../../platform/logging/logger.js';
import { LogFollower } from './log-follower.js';

describe('following the log for open pages', () => {
  it('rests before it begins again, though its subscription ended without an error', async () => {
    const store = new EndingStore();
    const follower = new LogFollower(store, createLogger({ name: 'test', level: 'silent', console: false }));
    const reader = { read: () => Promise.resolve(), missed: () => undefined };
    follower.use(reader, true);
    await someTurns();
    follower.use(reader, false);
    expect(store.begun).toBeGreaterThan(0);
    expect(store.begun).toBeLessThan(20);
  });
});

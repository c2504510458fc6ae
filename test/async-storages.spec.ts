import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { watchStorages } from './async-storages.mjs';

let storages: ReturnType<typeof watchStorages>;
beforeEach(() => {
  storages = watchStorages();
});
afterEach(() => {
  storages.stop();
});

describe('storages that a spec file leaves behind', () => {
  it('are disabled, whichever way they were used', () => {
    const entered = new AsyncLocalStorage<string>();
    const run = new AsyncLocalStorage<string>();
    entered.enterWith('entered');
    run.run('run', () => {
      storages.disableUsed();
      expect([entered.getStore(), run.getStore()]).toEqual([undefined, undefined]);
    });
  });

  it('work again when they are used again', () => {
    const storage = new AsyncLocalStorage<string>();
    storage.enterWith('before');
    storages.disableUsed();
    expect(storage.run('after', () => storage.getStore())).toBe('after');
  });

  it('are left alone where nobody watches', () => {
    const storage = new AsyncLocalStorage<string>();
    storages.stop();
    storage.run('kept', () => {
      storages.disableUsed();
      expect(storage.getStore()).toBe('kept');
    });
  });
});

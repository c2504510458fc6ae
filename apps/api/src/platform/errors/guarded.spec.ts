import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { guarded } from './guarded.js';

const fault = new Error('a listener failed');

describe('a guarded listener', () => {
  it('passes its arguments on', () => {
    const emitter = new EventEmitter<{ message: [number, string] }>();
    const heard: unknown[] = [];
    const faults: unknown[] = [];
    emitter.on(
      'message',
      guarded(
        (error) => faults.push(error),
        (count, text) => heard.push(count, text),
      ),
    );
    emitter.emit('message', 1, 'one');
    expect([heard, faults]).toEqual([[1, 'one'], []]);
  });

  it('does not throw', () => {
    const faults: unknown[] = [];
    const listener = guarded(
      (error) => faults.push(error),
      () => {
        throw fault;
      },
    );
    expect(() => listener()).not.toThrow();
    expect(faults).toEqual([fault]);
  });

  it('reports rejections', async () => {
    const faults = new EventEmitter();
    const heard = once(faults, 'fault');
    guarded(
      (error) => faults.emit('fault', error),
      async () => Promise.reject(fault),
    )();
    expect(await heard).toEqual([fault]);
  });
});

import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { guarded } from './guarded.js';

const fault = new Error('a fault of a listener');

describe('a guarded listener', () => {
  it('hands over what it is called with', () => {
    const emitter = new EventEmitter<{ told: [number, string] }>();
    const heard: unknown[] = [];
    const faults: unknown[] = [];
    emitter.on(
      'told',
      guarded(
        (error) => faults.push(error),
        (count, text) => heard.push(count, text),
      ),
    );
    emitter.emit('told', 1, 'one');
    expect([heard, faults]).toEqual([[1, 'one'], []]);
  });

  it('throws nothing at whoever calls it', () => {
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

  it('leaves no rejection without somebody who knows of it', async () => {
    const told = new EventEmitter();
    const heard = once(told, 'fault');
    guarded(
      (error) => told.emit('fault', error),
      async () => Promise.reject(fault),
    )();
    expect(await heard).toEqual([fault]);
  });
});

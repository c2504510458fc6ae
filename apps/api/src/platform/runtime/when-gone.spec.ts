import { EventEmitter, getMaxListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { whenGone } from './when-gone.js';

class Connection extends EventEmitter {
  closed = false;
}

describe('what aborts when a connection is gone', () => {
  it('is one signal, however often it is asked for, and aborts with the connection', () => {
    const connection = new Connection();
    const gone = whenGone(connection);
    expect(whenGone(connection)).toBe(gone);
    expect(connection.listenerCount('close')).toBe(1);
    expect(gone.aborted).toBe(false);
    connection.emit('close');
    expect(gone.aborted).toBe(true);
  });

  it('has aborted where the connection is closed already', () => {
    expect(whenGone(Object.assign(new Connection(), { closed: true })).aborted).toBe(true);
  });

  it('lets as many wait for one connection as there are', () => {
    // Beyond the number Node warns of a leak.
    expect(getMaxListeners(whenGone(new Connection()))).toBe(Infinity);
  });
});

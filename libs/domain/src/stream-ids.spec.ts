import { describe, expect, it } from '@jest/globals';
import * as streams from './stream-ids.js';

const { claimStream, STREAM_PREFIXES, ...others } = streams;

describe('the prefixes of streams', () => {
  it('know every name that a stream can have', () => {
    const names = [
      ...Object.values(others).map((name) => (typeof name === 'string' ? name : name('x', 'y'))),
      ...(['username', 'phone', 'email'] as const).map((kind) => claimStream(kind, 'x')),
    ];
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !STREAM_PREFIXES.some((prefix) => name.startsWith(prefix)))).toEqual([]);
  });
});

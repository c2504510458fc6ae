import { describe, expect, it } from '@jest/globals';
import { lineHash, LineMarks } from './log-lines.js';

describe('LineMarks', () => {
  const hashes = Array.from({ length: 3_000 }, (_, index) => lineHash(`line ${index + 1}`));

  it('keep the first four bytes of every hash', () => {
    const marks = new LineMarks();
    for (const hash of hashes) marks.add(hash);
    const prefixes = Buffer.concat(hashes.map((hash) => hash.subarray(0, 4)));
    expect(marks.lines).toBe(hashes.length);
    expect(marks.toString()).toBe(prefixes.toString('base64'));
    expect(LineMarks.of(marks.toString()).lines).toBe(hashes.length);
    expect(LineMarks.of(marks.toString()).at(2_999)).toEqual(hashes[2_998]?.subarray(0, 4));
  });

  it('return an empty prefix for a missing line', () => {
    const marks = new LineMarks();
    marks.add(lineHash('one'));
    expect(marks.at(2)).toHaveLength(0);
    expect(LineMarks.of('').at(1)).toHaveLength(0);
  });
});

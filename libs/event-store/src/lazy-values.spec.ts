import { describe, expect, it } from '@jest/globals';
import type { Json } from './port.js';
import { withLazyValues } from './lazy-values.js';
import { weightOfEvent } from './read-page.js';

const stored = { body: 'sealed', questionId: 'q', title: 'sealed too', tags: [] };

function lazy() {
  const reads: string[] = [];
  const valueOf = (field: string): Json => {
    reads.push(field);
    return `opened ${field}`;
  };
  return { reads, data: withLazyValues(['body', 'title'], { stored, valueOf }) };
}

describe('lazy values', () => {
  it('are computed on read, not before', () => {
    const { reads, data } = lazy();
    expect(data['questionId']).toBe('q');
    expect(reads).toEqual([]);
    expect(data['title']).toBe('opened title');
    expect(reads).toEqual(['title']);
  });

  it('appear in copies and in JSON, in stored order', () => {
    const opened = { body: 'opened body', questionId: 'q', title: 'opened title', tags: [] };
    expect(lazy().data).toEqual(opened);
    expect({ ...lazy().data }).toStrictEqual(opened);
    expect(structuredClone(lazy().data)).toEqual(opened);
    expect(JSON.stringify(lazy().data)).toBe(JSON.stringify(opened));
  });

  it('weigh as much as their stored form', () => {
    const { reads, data } = lazy();
    expect(weightOfEvent({ data })).toBe(weightOfEvent({ data: stored }));
    expect(reads).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Json } from './port.js';
import { withLateValues } from './late-values.js';
import { weightOfEvent } from './read-within.js';

const stored = { body: 'sealed', questionId: 'q', title: 'sealed too', tags: [] };

function late() {
  const asked: string[] = [];
  const valueOf = (field: string): Json => {
    asked.push(field);
    return `opened ${field}`;
  };
  return { asked, data: withLateValues(['body', 'title'], { stored, valueOf }) };
}

describe('late values', () => {
  it('are asked for when they are read, and not before', () => {
    const { asked, data } = late();
    expect(data['questionId']).toBe('q');
    expect(asked).toEqual([]);
    expect(data['title']).toBe('opened title');
    expect(asked).toEqual(['title']);
  });

  it('are in copies and in JSON, in the order of what is stored', () => {
    const opened = { body: 'opened body', questionId: 'q', title: 'opened title', tags: [] };
    expect(late().data).toEqual(opened);
    expect({ ...late().data }).toStrictEqual(opened);
    expect(structuredClone(late().data)).toEqual(opened);
    expect(JSON.stringify(late().data)).toBe(JSON.stringify(opened));
  });

  it('are weighed as they are stored', () => {
    const { asked, data } = late();
    expect(weightOfEvent({ data })).toBe(weightOfEvent({ data: stored }));
    expect(asked).toEqual([]);
  });
});

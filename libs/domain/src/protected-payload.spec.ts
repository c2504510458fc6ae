import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, entryOf } from './events.js';
import { protectedPayload } from './protected-payload.js';

describe('protectedPayload', () => {
  it.each(EVENT_TYPES)('shows neither people nor sealed values of %s', (type) => {
    const entry = entryOf(type);
    const fields = protectedPayload(type, { ...entry?.example });
    const shown = fields.filter(({ isProtected }) => !isProtected);
    const sealed = (entry?.sealed ?? []).flatMap(({ gone }) => Object.keys(gone));
    expect(shown.filter(({ value }) => value.startsWith('student-'))).toEqual([]);
    expect(shown.filter(({ name }) => sealed.includes(name.split('.')[0] ?? ''))).toEqual([]);
  });

  it('shows other values, and the size of protected ones', () => {
    expect(
      protectedPayload('QuestionAsked', {
        questionId: 'question-1',
        authorId: 'student-1',
        title: 'Why?',
        unknown: { nested: [1, { voterId: 'student-2' }] },
        empty: [],
      }),
    ).toEqual([
      { name: 'questionId', value: 'question-1', isProtected: false },
      { name: 'authorId', value: 'text, 9 characters', isProtected: true },
      { name: 'title', value: 'text, 4 characters', isProtected: true },
      { name: 'unknown.nested.0', value: '1', isProtected: false },
      { name: 'unknown.nested.1.voterId', value: 'text, 9 characters', isProtected: true },
      { name: 'empty', value: 'list, 0 items', isProtected: false },
    ]);
  });
});

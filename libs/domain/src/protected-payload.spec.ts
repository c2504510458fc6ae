import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, entryOf } from './events.js';
import { protectedPayload, protectedStream, streamNamesPerson } from './protected-payload.js';
import * as domain from './index.js';
import { questionStream } from './stream-ids.js';
import { streamNamesIn } from './testing/stored-events.js';

describe('protectedPayload', () => {
  it.each(EVENT_TYPES)('shows neither people nor sealed values of %s', (type) => {
    const entry = entryOf(type);
    const fields = protectedPayload(type, { ...entry?.example });
    const shown = fields.filter(({ isProtected }) => !isProtected);
    const sealed = (entry?.sealed ?? []).flatMap(({ gone }) => Object.keys(gone));
    // Anywhere in a value: an ID inside another one or in a text names the person too.
    expect(shown.filter(({ value }) => value.includes('student-'))).toEqual([]);
    expect(shown.filter(({ name }) => sealed.includes(name.split('.')[0] ?? ''))).toEqual([]);
  });

  it('shows no value of an unknown event', () => {
    expect(protectedPayload('FromALaterVersion', { by: 'student-1' })).toEqual([
      { name: 'by', value: 'text, 9 characters', isProtected: true },
    ]);
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

describe('protectedStream', () => {
  const [first, last] = [1, 2].map((digit) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`);
  const streams = Object.entries(streamNamesIn(domain))
    // The claim decider takes the prefix as its first part.
    .filter(([decider]) => decider !== 'claim')
    .map(([decider, name]) => {
      const streamId = name.replace('one', String(first)).replace('two', String(last));
      return { decider, streamId, shown: protectedStream(streamId) };
    });

  it('withholds the person in every stream that names one', () => {
    const isShown = ({ streamId, shown }: { streamId: string; shown: string }) => streamId === shown;
    // Complete lists: a new stream must be added to one of them.
    expect(
      streams
        .filter((stream) => !isShown(stream))
        .map(({ shown }) => shown)
        .sort(),
    ).toEqual(
      [
        `bookmark-${first}-…`,
        `membership-${first}-…`,
        `note-${first}-…`,
        `pattern-${first}-…`,
        `reaction-${first}-…`,
        `removal-${first}-…`,
        'student-…',
        // Cast, and reviewed.
        `vote-${first}-…`,
        `vote-${first}-…`,
      ].sort(),
    );
    expect(
      streams
        .filter(isShown)
        .map(({ decider }) => decider)
        .sort(),
    ).toEqual(
      [
        ...[
          'answer',
          'avatars',
          'case',
          'comment',
          'confidentialRead',
          'invitation',
          'moderation',
          'newspost',
        ],
        ...['projection', 'question', 'removal', 'scoringRules', 'space', 'topic'],
      ].sort(),
    );
  });

  it('shows only the prefix of a name in an unknown form', () => {
    expect(protectedStream('vote-question-1-student-2')).toBe('vote-…');
  });

  it('tells which streams nobody may look up by name', () => {
    expect(streams.filter(({ streamId }) => streamNamesPerson(streamId)).length).toBe(9);
    expect(streamNamesPerson(questionStream('1'))).toBe(false);
  });
});

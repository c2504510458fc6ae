import { describe, expect, it } from '@jest/globals';
import { lengthOf, TITLE_MAX_LENGTH } from '@nimo/domain';
import { dumpRow } from './dump-row.js';

const titleOf = (title: string) =>
  dumpRow('posts', { Id: '1', CreationDate: '2020-01-01T00:00:00', PostTypeId: '1', Title: title })?.content
    ?.title;

describe('a title that is too long here', () => {
  it.each([
    ['Latin letters', 'a'.repeat(301), `${'a'.repeat(299)}…`],
    ['a family at the end', `${'a'.repeat(297)}👨‍👩‍👧‍👦`, `${'a'.repeat(297)}…`],
    ['a flag at the end', `${'a'.repeat(298)}🇮🇳?`, `${'a'.repeat(298)}…`],
  ])('is cut between characters: %s', (_name, title, expected) => {
    expect(titleOf(title)).toBe(expected);
    expect(lengthOf(expected)).toBeLessThanOrEqual(TITLE_MAX_LENGTH);
  });

  it('stays whole where it fits', () => expect(titleOf('😀'.repeat(300))).toBe('😀'.repeat(300)));
});

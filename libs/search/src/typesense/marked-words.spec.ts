import { describe, expect, it } from '@jest/globals';
import { MARK_END, MARK_START, markedWords } from './typesense-client.js';

const tagged = (text: string): string => text.replaceAll('[', MARK_START).replaceAll(']', MARK_END);

describe('marked words', () => {
  it.each([
    ['a whole word', 'a [whole] word', ['whole']],
    ['a prefix match', '[photo]synthesis of plants', ['photosynthesis']],
    ['several words under one mark', 'the [chain rule] works', ['chain', 'rule']],
    ['three words under one mark', '[a b c] d', ['a', 'b', 'c']],
    ['nothing without a mark', 'no match', []],
    ['nothing in an empty text', '', []],
  ])('finds %s', (_, text, words) => {
    expect([...markedWords([tagged(text), undefined])]).toEqual(words);
  });
});

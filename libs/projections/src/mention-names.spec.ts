import { describe, expect, it } from '@jest/globals';
import { commentExcerptOf } from './mention-names.js';

describe('the excerpt of a comment', () => {
  const [ada, gone] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  const names = { [ada]: 'ada_1', [gone]: null };

  it('is its text with names, and nothing is read as HTML', () => {
    expect(commentExcerptOf(`@[${ada}], a < b and c > d &amp; @[0] @[constructor] @[${gone}]`, names)).toBe(
      '@ada_1, a < b and c > d &amp; @[0] @[constructor] @…',
    );
  });

  it('is cut between characters, with an ellipsis', () => {
    expect(commentExcerptOf(`${'a'.repeat(158)} @[${ada}]`, names)).toBe(`${'a'.repeat(158)} @…`);
    expect(commentExcerptOf(`${'a'.repeat(158)}👨‍👩‍👧‍👦`, names)).toBe(`${'a'.repeat(158)}…`);
  });
});

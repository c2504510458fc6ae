import { describe, expect, it } from '@jest/globals';
import { commentExcerptOf } from './mention-names.js';

describe('commentExcerptOf', () => {
  const [ada, gone] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  const names = { [ada]: 'ada_1', [gone]: null };

  it('replaces mentions with names and keeps HTML as text', () => {
    expect(commentExcerptOf(`@[${ada}], a < b and c > d &amp; @[0] @[constructor] @[${gone}]`, names)).toBe(
      '@ada_1, a < b and c > d &amp; @[0] @[constructor] @…',
    );
  });

  it('cuts between characters and adds an ellipsis', () => {
    expect(commentExcerptOf(`${'a'.repeat(158)} @[${ada}]`, names)).toBe(`${'a'.repeat(158)} @…`);
    expect(commentExcerptOf(`${'a'.repeat(158)}👨‍👩‍👧‍👦`, names)).toBe(`${'a'.repeat(158)}…`);
  });
});

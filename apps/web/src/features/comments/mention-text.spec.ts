import { describe, expect, it } from '@jest/globals';
import { commentPieces, commentText } from './mention-text';

const text = (words: string) => ({ type: 'text', text: words });
const mention = (id: string) => ({ type: 'mentionAtom', attrs: { id, label: '@somebody' } });
const doc = (...lines: object[][]) => ({
  type: 'doc',
  content: lines.map((content) => ({ type: 'paragraph', content: content as never })),
});

describe('commentText', () => {
  it('sends a mention by its id', () => {
    expect(commentText(doc([text('Ask '), mention('3f0c'), text(' please')]))).toBe('Ask @[3f0c] please');
  });

  it('keeps lines and breaks', () => {
    expect(commentText(doc([text('a'), { type: 'hardBreak' }, text('b')], [], [text('c')]))).toBe(
      'a\nb\n\nc',
    );
  });

  it.each([[doc()], [doc([])], [doc([text('   ')], [])]])('returns nothing for a blank document', (blank) => {
    expect(commentText(blank)).toBe('');
  });
});

describe('commentPieces', () => {
  it('separates mentions from text', () => {
    expect(commentPieces('Ask @[meera_n], or @[dev]', ['dev', 'meera_n'])).toEqual([
      { kind: 'text', text: 'Ask ' },
      { kind: 'mention', name: 'meera_n' },
      { kind: 'text', text: ', or ' },
      { kind: 'mention', name: 'dev' },
    ]);
  });

  it.each(['', 'mail me@[', '@[]', '@[a\nb]', 'a @ b', 'arr = @[0]', 'foo@[bar baz]'])(
    'leaves %j unchanged',
    (body) => {
      expect(commentPieces(body, ['dev'])).toEqual(body === '' ? [] : [{ kind: 'text', text: body }]);
    },
  );

  it('is fast on a body crafted to be slow', () => {
    expect(commentPieces('@['.repeat(20_000), [])).toHaveLength(1);
  });
});

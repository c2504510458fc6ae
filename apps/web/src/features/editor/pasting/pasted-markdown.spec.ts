import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../../../../libs/testing/src/fast-check.js';
import { looksLikeMarkdown, markdownHtml } from './pasted-markdown';

/** Maximum length of a body. */
const LENGTH = 64 * 1024;
const MARKS = ['> ', '>', '[', '![', '- ', '  - ', '1. ', '  1. ', '**', '~~', '| ', '# ', '\n', ' '];

const repeated = (piece: string): string => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);

describe('nested Markdown up to the length of a body', () => {
  it.each(MARKS)('is parsed for %j', (mark) => {
    expect(markdownHtml(`${repeated(mark)}deep`)).toContain('deep');
  });

  it.each(MARKS)('is not recognised in repeated %j', (mark) => {
    expect(looksLikeMarkdown(repeated(mark))).toBe(false);
  });

  it('is parsed for mixed markers', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...MARKS), { minLength: 2, maxLength: 5 }), (marks) => {
        expect(markdownHtml(`${repeated(marks.join(''))}\n\ndeep`)).toContain('deep');
      }),
      { numRuns: 10 },
    );
  });

  it('keeps all text and markers of nested quotes', () => {
    const html = markdownHtml(`${'> '.repeat(30)}deep`);
    expect(html.split('<blockquote>')).toHaveLength(21);
    expect(html).toContain(`<p>${'&gt; '.repeat(10)}deep</p>`);
  });

  it('keeps all bars of a table that is too large', () => {
    const text = `a|b\n-|-\n${'|x'.repeat(8000)}\n${'|\n'.repeat(8000)}`;
    expect(markdownHtml(text).replaceAll('<br>', '\n')).toBe(`<p>${text.trimEnd()}</p>`);
  });

  it('is parsed for nested lists', () => {
    const lines = Array.from({ length: 350 }, (_, level) => `${' '.repeat(level)}- ${level}`).join('\n');
    expect(markdownHtml(lines)).toContain('349');
  });

  it('keeps a language named like a property of every object', () => {
    expect(markdownHtml('```constructor\nx\n```')).toBe(
      '<pre><code class="language-constructor">x</code></pre>',
    );
  });
});

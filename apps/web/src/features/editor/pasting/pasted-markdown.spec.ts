import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../../../../libs/testing/src/fast-check.js';
import { looksLikeMarkdown, markdownHtml } from './pasted-markdown';

/** As long as a body may be. */
const LENGTH = 64 * 1024;
const MARKS = ['> ', '>', '[', '![', '- ', '  - ', '1. ', '  1. ', '**', '~~', '| ', '# ', '\n', ' '];

const repeated = (piece: string): string => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);

describe('Markdown in Markdown up to the length of a body', () => {
  it.each(MARKS)('of %j is read', (mark) => {
    expect(markdownHtml(`${repeated(mark)}deep`)).toContain('deep');
  });

  it.each(MARKS)('tells %j from text', (mark) => {
    expect(looksLikeMarkdown(repeated(mark))).toBe(false);
  });

  it('of several marks is read', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...MARKS), { minLength: 2, maxLength: 5 }), (marks) => {
        expect(markdownHtml(`${repeated(marks.join(''))}\n\ndeep`)).toContain('deep');
      }),
      { numRuns: 10 },
    );
  });

  it('of quotes keeps every word and mark', () => {
    const html = markdownHtml(`${'> '.repeat(30)}deep`);
    expect(html.split('<blockquote>')).toHaveLength(21);
    expect(html).toContain(`<p>${'&gt; '.repeat(10)}deep</p>`);
  });

  it('of rows that a table cannot hold keeps every bar', () => {
    const text = `a|b\n-|-\n${'|x'.repeat(8000)}\n${'|\n'.repeat(8000)}`;
    expect(markdownHtml(text).replaceAll('<br>', '\n')).toBe(`<p>${text.trimEnd()}</p>`);
  });

  it('of lists is read', () => {
    const lines = Array.from({ length: 350 }, (_, level) => `${' '.repeat(level)}- ${level}`).join('\n');
    expect(markdownHtml(lines)).toContain('349');
  });

  it('keeps the name of a language that every object has as a property', () => {
    expect(markdownHtml('```constructor\nx\n```')).toBe(
      '<pre><code class="language-constructor">x</code></pre>',
    );
  });
});

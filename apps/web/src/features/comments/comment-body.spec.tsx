import { describe, expect, it } from '@jest/globals';
import { renderPart } from '../../testing/render-part';
import { CommentBody } from './comment-body';

function shown(body: string, mentions: readonly string[] = []): Element {
  const comment = renderPart(<CommentBody body={body} mentions={mentions} />).container.querySelector('p');
  if (!comment) throw new Error('there is no comment');
  return comment;
}

describe('a comment body', () => {
  it('shows code and formulas as posts do', () => {
    const comment = shown('@[dev] `x*y` and $x^2$:\n```js\nlet a;\n```', ['dev']);
    expect([...comment.querySelectorAll('code')].map(({ textContent }) => textContent)).toEqual([
      'x*y',
      'let a;',
    ]);
    expect(comment.querySelector('[data-source]')).toHaveAttribute('data-source', 'x^2');
    expect(comment).toHaveTextContent(/^@dev x\*y and/);
  });

  it('shows a mention in code as code', () => {
    const comment = shown('Write `@[dev] x` for @[dev]', ['dev']);
    expect(comment.querySelector('code')).toHaveTextContent('@dev x');
    expect(comment).toHaveTextContent('Write @dev x for @dev');
    expect(comment.querySelectorAll('bdi')).toHaveLength(1);
  });

  it('links URLs, but neither code nor a script scheme', () => {
    const comment = shown(
      'See (https://example.org/a_(b)), www.example.org. Not `https://a.org` or javascript:alert(1)',
    );
    const links = [...comment.querySelectorAll('a')];
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'https://example.org/a_(b)',
      'https://www.example.org',
    ]);
    for (const link of links) expect(link).toHaveAttribute('rel', 'nofollow ugc noopener noreferrer');
    expect(comment).toHaveTextContent(
      'See (https://example.org/a_(b)), www.example.org. Not https://a.org or',
    );
  });

  it.each([
    'PHP: $sum=$a+$b; swap($a,$b)',
    'export PATH=$PATH:$HOME/bin and $5+$6=$11',
    '3*4*5, **b**, ~20 to ~30, x=`date`',
    '@[constructor] @[0] foo@[bar baz] @[]',
    '1947. India <b>x</b>',
  ])('shows %j verbatim', (body) => {
    const comment = shown(body);
    expect(comment.textContent).toBe(body);
    expect(comment.querySelector('code, [data-source]')).toBeNull();
  });
});

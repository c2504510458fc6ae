import { describe, expect, it } from '@jest/globals';
import { splitMarkup } from './split-markup';

const text = (words: string) => ({ kind: 'text', text: words });
const code = (words: string, isBlock = false) => ({ kind: 'code', text: words, isBlock });
const formula = (source: string, isBlock = false) => ({ kind: 'formula', source, isBlock });

describe('splitMarkup', () => {
  it.each([
    ['use `x` here', [text('use '), code('x'), text(' here')]],
    ['`$a` costs $5', [code('$a'), text(' costs $5')]],
    ['(`a``b`)', [text('('), code('a``b'), text(')')]],
    ['求`x`的值', [text('求'), code('x'), text('的值')]],
    ['`` `a` ``, `` a ``', [code('`a`'), text(', `` a ``')]],
    ['``a ` b``!', [code('a ` b'), text('!')]],
    ['```python\nx = 1\n```\nso $x$', [code('x = 1', true), text('\nso '), formula('x')]],
    ['so $$x^2$$ and `y`', [text('so '), formula('x^2', true), text(' and '), code('y')]],
  ])('finds the code and the formulas of %j', (words, pieces) => {
    expect(splitMarkup(words)).toEqual(pieces);
  });

  it.each(['x=`date`', 'a`b`c', '` a`', '`a', '``', '`a\nb`', 'PHP: $sum=$a+$b; swap($a,$b)'])(
    'leaves %j unchanged',
    (words) => {
      expect(splitMarkup(words)).toEqual([text(words)]);
    },
  );

  it.each(['`', '``a`', '` ', '`a`', '```\n', '`$a'])('keeps all of 20,000 times %j', (part) => {
    const pieces = splitMarkup(part.repeat(20_000));
    const shown = pieces.map((piece) => (piece.kind === 'formula' ? piece.source : piece.text)).join('');
    expect(shown.replaceAll(/[`\s]/g, '') === part.repeat(20_000).replaceAll(/[`\s]/g, '')).toBe(true);
  });
});

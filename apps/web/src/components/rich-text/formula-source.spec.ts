import { describe, expect, it } from '@jest/globals';
import { formulaPieces } from './formula-source';

const text = (words: string) => ({ kind: 'text', text: words });
const formula = (source: string, isBlock = false) => ({ kind: 'formula', source, isBlock });

describe('formulaPieces', () => {
  it.each([
    ['$x$', [formula('x')]],
    ['so $a^2+b^2=c^2$.', [text('so '), formula('a^2+b^2=c^2'), text('.')]],
    [
      'the $n$th, $n$-th and $2$',
      [text('the '), formula('n'), text('th, '), formula('n'), text('-th and '), formula('2')],
    ],
    ['$\\text{costs \\$5}$', [formula('\\text{costs \\$5}')]],
    ['$$\n\\int_0^1 x\n$$ done', [formula('\\int_0^1 x', true), text(' done')]],
    ['($x$)($y$)', [text('('), formula('x'), text(')('), formula('y'), text(')')]],
    ['costs $5, where $x=5$', [text('costs $5, where '), formula('x=5')]],
    [
      "the sign $=$, $|x|$ and $f'$",
      [text('the sign '), formula('='), text(', '), formula('|x|'), text(' and '), formula("f'")],
    ],
    ['求$x^2$的值', [text('求'), formula('x^2'), text('的值')]],
    ...['2x', '5', '3 + 4 = 7', '10\\%', '6, 10', '2 + 3*4'].map(
      (source) => [`$${source}$`, [formula(source)]] as const,
    ),
    ['$[0,1)$ and $(a, b)$.', [formula('[0,1)'), text(' and '), formula('(a, b)'), text('.')]],
  ])('finds the formulas of %j', (words, pieces) => {
    expect(formulaPieces(words)).toEqual(pieces);
  });

  it.each([
    '$5 and $6',
    'from $5-$6',
    '$5-$6, 10$ to 20$',
    '$PATH and $HOME. US$ 5',
    'Make $$$ fast $$$ too',
    'US$5 or CA$6',
    '5$ and 6$',
    '$5 or maybe more$',
    'It costs 5$, she has $7; 12$ are left.',
    'She has $7. 12$ are left.',
    'It is $5+VAT or 6$ without.',
    'echo $HOME/$PATH',
    'export PATH=$PATH:$HOME/bin',
    '$5+$6=$11',
    '$sum=$a+$b; swap($a,$b)',
    'US$5 or CA$',
    '${a}/${b}',
    'kill $$ && echo $$',
    '"$a$b" and "$first$last"',
    'awk \'{print $1"-"$2}\'',
    '$arr[$i]=$arr[$j]',
    '$5 in A$',
    '$10 (US$)',
    '$a.$_POST',
    'a $ b $ c',
    '\\$x$',
    '$',
    '$$',
    '$$$$',
    '$a\nb$',
    '$x',
    'no dollars',
  ])('leaves %j as it is', (words) => {
    expect(formulaPieces(words)).toEqual([text(words)]);
  });

  it('of nothing is nothing', () => {
    expect(formulaPieces('')).toEqual([]);
  });

  // Bench figure `inputs` measures how long this takes.
  it.each(['$', '$$', '$ ', '$a', '$a ', '\\$', '$\\$', '$$a', '$x^', '$5-'])(
    'loses nothing of 200,000 times %j',
    (word) => {
      const words = word.repeat(200_000);
      const pieces = formulaPieces(words).map((piece) => {
        if (piece.kind === 'text') return piece.text;
        return piece.isBlock ? `$$${piece.source}$$` : `$${piece.source}$`;
      });
      expect(pieces.join('') === words).toBe(true);
    },
  );

  it('takes no formula longer than a page', () => {
    expect(formulaPieces(`$${'x'.repeat(2001)}$`)).toHaveLength(1);
    expect(formulaPieces(`$${'x'.repeat(2000)}$`)).toEqual([formula('x'.repeat(2000))]);
  });
});

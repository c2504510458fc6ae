import { describe, expect, it } from '@jest/globals';
import { excerptPieces, formulaPieces } from './formula-source';

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
    ['$x_max$ and ${n \\choose k}$', [formula('x_max'), text(' and '), formula('{n \\choose k}')]],
    ['$x$ at https://a.org/$b, $y$', [formula('x'), text(' at https://a.org/$b, '), formula('y')]],
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
    'mv $f ${f}$ext',
    'echo ${dir}$name.txt',
    '$is_ok?$yes:$no',
    'if $is_ok$ then',
    'https://example.org/?x=$a$&y=$b$ and www.example.org/$x^2$',
  ])('leaves %j unchanged', (words) => {
    expect(formulaPieces(words)).toEqual([text(words)]);
  });

  it('finds nothing in an empty text', () => {
    expect(formulaPieces('')).toEqual([]);
  });

  // Bench figure `inputs` measures how long this takes.
  it.each(['$', '$$', '$ ', '$a', '$a ', '\\$', '$\\$', '$$a', '$x^', '$5-'])(
    'keeps all of 200,000 times %j',
    (word) => {
      const words = word.repeat(200_000);
      const pieces = formulaPieces(words).map((piece) => {
        if (piece.kind === 'text') return piece.text;
        return piece.isBlock ? `$$${piece.source}$$` : `$${piece.source}$`;
      });
      expect(pieces.join('') === words).toBe(true);
    },
  );

  it('finds no formula longer than a page', () => {
    expect(formulaPieces(`$${'x'.repeat(2001)}$`)).toHaveLength(1);
    expect(formulaPieces(`$${'x'.repeat(2000)}$`)).toEqual([formula('x'.repeat(2000))]);
  });
});

describe('excerptPieces', () => {
  it('keeps marked formulas verbatim and escaped dollar signs literal', () => {
    expect(excerptPieces('Solve 2\u2063$x$\u2063 of \u2063$2 apples$\u2063, $\u2060x^2$\u2060, $y$')).toEqual(
      [text('Solve 2'), formula('x'), text(' of '), formula('2 apples'), text(', $x^2$, '), formula('y')],
    );
  });

  const words = 'x'.repeat(140);
  it.each([
    ['a marked formula', `${words} \u2063$\\frac{1}{2}+x`, `${words} `],
    ['a formula of a post from elsewhere', `${words} $\\frac{a_1}{2} + bcde`, `${words} `],
    ['nothing of a price', `a pen costs $3 and ${words}`, `a pen costs $3 and ${words}`],
    [
      'nothing of a variable',
      `$HOME ${words} ${words}`.slice(0, 160),
      `$HOME ${words} ${words}`.slice(0, 160),
    ],
  ])('drops %s at its end', (_, excerpt, shown) => {
    expect(excerptPieces(excerpt)).toEqual([text(shown)]);
  });

  it('keeps a dollar sign before a backslash if nothing is cut', () => {
    expect(excerptPieces('in C:\\$Recycle\\bin')).toEqual([text('in C:\\$Recycle\\bin')]);
  });
});

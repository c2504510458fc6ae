import { SeededRandom } from '../../libs/testing/src/seeded-random.js';

/**
 * Texts like those of students: mathematics, programs, shells, prose and lists, in ten scripts. The only formatting is unambiguous: fenced
 * code with a language, lists, inline code in single backticks, and formulas between dollar signs.
 */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  Latin: ['prime', 'Wurzel', 'año', 'perché', 'naïve', 'Łódź', 'don’t', 'e\u0301tude'],
  Cyrillic: ['корень', 'почему', 'число', 'объём'],
  Greek: ['ρίζα', 'γιατί', 'αριθμός'],
  Arabic: ['لماذا', 'جذر', 'العدد', 'ما هو'],
  Hebrew: ['למה', 'שורש', 'מספר'],
  Devanagari: ['प्रश्न', 'दान', 'संख्या', 'क्यों'],
  Han: ['光合作用', '的过程', '为什么', '质数'],
  Kana: ['なぜですか', 'ルート', '素数'],
  Hangul: ['왜', '소수', '광합성은'],
  Thai: ['ทำไม', 'จำนวนเฉพาะ'],
};

const MATHS = [
  '3*4*5 = 60', 'x**2 + y**2 = z**2', '2*3*4', 'a * b * c', 'f(x) = |x| - 1', '5! = 120', 'x_1 + x_2 < x_3', 'a^2 + b^2', '½ ≤ √2',
  '- 5 is minus five', '1947. India became independent', 'from ~20 to ~30 minutes', '~~5 or ~~6', '1/2 and 3/4', '(a+b)*(a-b)', '+ 3', '1. 5 is not 15',
  '> 3 and < 5', '# 5 of 7', '7 % 3 == 1', 'n >= 0 && m != 0', '{1, 2, 3}', '[0, 1)', '1,000.50', '___', '---', '2024-05-06', '12:30', '*', '_', '1)',
]; // oxfmt-ignore
const CODE = [
  'new Scanner(System.in)', 'arr.at(-1)', 'int *p = &x;', 'char **argv', 'f(*args, **kwargs)', '__init__(self)', 'snake_case_name', 'a && b || !c', '(*p)*(*q)',
  'if (a < b) { return; }', 'List<String> l', 'x -> x + 1', '#include <stdio.h>', '# a comment', '// no link', '/* a */', 'std::cout << "hi" << endl;', 'Node.js',
  'foo@[bar baz]', '@[0]', 'arr = @[0]', '<b>bold</b>', '&amp; &lt;', '\\frac{1}{2}', '"quoted"', "it's", 'C++ and C#', 'main.py', 'e.g. this', ':-)', '(c) ... -->',
  '<script>alert(1)</script>', '--flag', '=> {}', 'a[i][j]', '%d %s\\n', '{{x}}', '~/.bashrc', '|| true', '../a/b.txt', 'user@example.org',
]; // oxfmt-ignore
const SHELL = [
  'export PATH=$PATH:$HOME/bin', '$5+$6=$11', '$sum=$a+$b; swap($a,$b)', 'US$5 or CA$', 'echo $HOME/$PATH', 'for i in "$@"; do', '$x = $y;',
  'cost $5 and $6', '${a}/${b}', 'awk \'{print $1"-"$2}\'', "grep '^a$' f", '$this->name', '$5-$10', '"$a$b"', '$(pwd)', 'x=`date`', 'cd "$DIR"', '$_GET[0]', 'A$5, C$6',
  '`${a}` + `${b}`', 'ls *.c *.h', 'rm -rf *', '$?', '$1,$2', '$ npm test', 'a`b`c', '$name$other', "'$a' '$b'",
]; // oxfmt-ignore
const MARKED = [
  '`x*y*z`', '`$a`', '$x^2$', '$\\frac12$', '$a_1 = b$', 'http://localhost:3000/a*b', 'www.example.org/$x', '(see https://en.wikipedia.org/wiki/Prime_number).',
  'https://en.wikipedia.org/wiki/Function_(mathematics), then', '“https://example.org/a?b=c&d=e#f”',
]; // oxfmt-ignore
const FENCED = [
  'for i in range(3):\n    print(i * "*")',
  'int *p;\n\n*p = **q;',
  'echo "$PATH" `date`',
  '# no heading\n- no item',
  '<b>&amp;</b>',
];
const LANGUAGES = ['python', 'cpp', 'bash', 'javascript'];
/** Lines whose meaning would change next to similar ones. */
const STANDALONE = ['kill $$ && echo $$', '$$ is the process', '``', '** a', '**'];
/** Any symbol. `soup` collapses repeated asterisks, which would be bold. */
const SIGNS = Array.from(' !"#$%&\'()*+,-./0123456789:;<=>?@AZ[\\]^_`az{|}~é中😀');

const SCRIPTS = Object.keys(WORDS);

function words(random: SeededRandom, count: number): string {
  const script = WORDS[random.pick(SCRIPTS) ?? ''] ?? [];
  return Array.from({ length: count }, () => random.pick(script) ?? '').join(' ');
}

function mixture(random: SeededRandom): string {
  const parts = [MATHS, CODE, SHELL, MARKED];
  return Array.from({ length: random.between(1, 4) }, () =>
    random.isTrue(0.5) ? words(random, random.between(1, 3)) : (random.pick(random.pick(parts) ?? []) ?? ''),
  ).join(random.pick([' ', ' ', ', ', ' – ', '; ']) ?? ' ');
}

function soup(random: SeededRandom): string {
  const signs = Array.from({ length: random.between(4, 30) }, () => random.pick(SIGNS) ?? '').join('');
  return `${words(random, 1)} ${signs
    .replace(/\*\*+/g, '*')
    .replace(/`{2,}/g, '`')
    .replace(/\${2,}/g, '$')
    .trim()}`.trim();
}

function list(random: SeededRandom): string {
  const isOrdered = random.isTrue(0.5);
  const items = Array.from({ length: random.between(2, 4) }, () => words(random, random.between(1, 4)));
  return items.map((item, at) => `${isOrdered ? `${at + 1}.` : '-'} ${item}`).join('\n');
}

const fence = (random: SeededRandom): string =>
  `\`\`\`${random.pick(LANGUAGES)}\n${random.pick(FENCED)}\n\`\`\``;

/** Lists and fenced code among prose, without lines that start with a symbol: next to lists, pasted text treats those as Markdown. */
function structured(random: SeededRandom): string[] {
  return Array.from({ length: random.between(1, 3) }, () => {
    const kind = random.next();
    if (kind < 0.4) return list(random);
    if (kind < 0.7) return fence(random);
    return `${words(random, 2)} ${mixture(random)}`;
  });
}

function unstructured(random: SeededRandom): string[] {
  return Array.from({ length: random.between(1, 3) }, () => {
    const kind = random.next();
    if (kind < 0.25) return soup(random);
    if (kind < 0.45) return random.pick([...MATHS, ...CODE, ...SHELL, ...STANDALONE]) ?? '';
    return mixture(random);
  });
}

/** One text of a few lines, with blank lines around lists. */
function sampleText(random: SeededRandom): string {
  if (random.isTrue(0.3)) return structured(random).join('\n\n');
  return unstructured(random).join(random.pick(['\n', '\n\n']));
}

/** `count` texts, deterministic for a seed. */
export function sampleTexts(seed: number, count: number): string[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => sampleText(random));
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** HTML body of a plain text, with one paragraph per line. */
export const bodyOf = (text: string): string =>
  text
    .split(/\n+/)
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('');

import {
  accented,
  identifier,
  inPairs,
  joined,
  operator,
  space,
  textOf,
  words,
  written,
} from './mathml-tokens';

const takesLimits =
  /^\\(?:sum|prod|bigcup|bigcap|i*int|oint|lim(?:inf|sup)?|max|min|sup|inf|det|gcd|Pr|overbrace|underbrace)(?![a-z])/;
const matrices = inPairs('() pmatrix [] bmatrix {} Bmatrix || vmatrix ∣∣ vmatrix ‖‖ Vmatrix ∥∥ Vmatrix');
const fence = /^[()[\]{}|∣‖∥⌊⌋⌈⌉⟨⟩]?$/;

/** A row of one element is that element. */
function unwrapped(element: Element): Element {
  const [only, ...others] = element.children;
  return only && others.length === 0 && /^(?:mrow|texatom)$/.test(element.localName)
    ? unwrapped(only)
    : element;
}
const childrenOf = (element: Element): Element[] =>
  [...element.children].filter(({ localName }) => !localName.startsWith('annotation')).map(unwrapped);

function table(element: Element, environment?: string): string {
  const isAligned = /^right left/.test(element.getAttribute('columnalign') ?? '');
  const name = environment ?? (isAligned ? 'aligned' : 'matrix');
  const rows = [...element.children].map((line) =>
    [...line.children].map((cell) => row(childrenOf(cell))).join(' & '),
  );
  // A bracket behind the end of a line would be its height.
  return `\\begin{${name}}${rows.join(' \\\\ ').replaceAll('\\\\ [', '\\\\ {}[')}\\end{${name}}`;
}

/** A table or a fraction without its line between fences: a matrix, cases, or a binomial coefficient. */
function betweenFences([open, inner, close]: readonly Element[]):
  | [tex: string, elements: number]
  | undefined {
  if (open?.localName !== 'mo' || !inner) return undefined;
  const fences = textOf(open) + (close?.localName === 'mo' ? textOf(close) : '');
  if (inner.localName === 'mfrac' && fences === '()' && isWithoutLine(inner))
    return [`\\binom${pair(inner)}`, 3];
  if (inner.localName !== 'mtable') return undefined;
  const matrix = matrices.get(fences);
  if (matrix !== undefined) return [table(inner, matrix), 3];
  return textOf(open) === '{' ? [table(inner, 'cases'), 2] : undefined;
}

const isTall = (element: Element): boolean =>
  element.localName === 'mfrac' || element.querySelector('mfrac,mtable,munderover') !== null;

const delimiter = (tex: string | undefined): string =>
  (tex ?? '').replace('\\mid', '|').replace('\\parallel', '\\|') || '.';

function row(children: readonly Element[]): string {
  const parts: string[] = [];
  for (let at = 0; at < children.length; at += 1) {
    const [tex, elements] = betweenFences(children.slice(at, at + 3)) ?? [texOf(children[at]), 1];
    parts.push(tex);
    at += elements - 1;
  }
  const [first, last] = [children[0], children.at(-1)];
  const isFenced = [first, last].every((it) => it?.localName === 'mo' && fence.test(textOf(it)));
  if (parts.length < 3 || !isFenced || !children.some(isTall)) return joined(parts);
  return joined(['\\left', delimiter(parts[0]), ...parts.slice(1, -1), '\\right', delimiter(parts.at(-1))]);
}

const isWithoutLine = (element: Element): boolean => /^0/.test(element.getAttribute('linethickness') ?? '');
const texts = (element: Element): string[] => childrenOf(element).map(texOf);
const pair = (element: Element): string => {
  const [top = '', bottom = ''] = texts(element);
  return `{${top}}{${bottom}}`;
};

const isOne =
  /^(?:.|\d+|\\[A-Za-z]+(?:\{[^{}]*\})?|\\.|\(.*\)|\\left.*\\right(?:.|\\[a-z]+|\\.)|\\(?:over|under)brace.*)$/u;
const script = (sign: string, tex: string | undefined): string => {
  if (tex === undefined || tex === '') return '';
  if (sign === '^' && /^'+$/.test(tex)) return tex;
  return sign + (/^[^']$/u.test(tex) ? tex : `{${tex}}`);
};
const scripted = (base = '', sub?: string, sup?: string): string =>
  `${isOne.test(base) ? base : `{${base}}`}${script('_', sub)}${script('^', sup)}`;

const signOf = (element: Element | undefined): string => (element ? textOf(element) : '');

function aroundBase(element: Element | undefined, under?: Element, over?: Element): string {
  const base = texOf(element);
  const tex = accented(base, signOf(under), signOf(over));
  if (tex !== undefined) return tex;
  const [below, above] = [texOf(under), texOf(over)];
  if (takesLimits.test(base)) return scripted(base, below, above);
  const arrow = /^\\(?:to|leftarrow)$/.test(base) && (base === '\\to' ? 'xrightarrow' : 'xleftarrow');
  if (arrow) return `\\${arrow}${below === '' ? '' : `[${below}]`}{${above}}`;
  const withAbove = above === '' ? base : `\\overset{${above}}{${base}}`;
  return below === '' ? withAbove : `\\underset{${below}}{${withAbove}}`;
}

function multiscripts(element: Element): string {
  const [base, ...scripts] = childrenOf(element);
  const before = scripts.findIndex(({ localName }) => localName === 'mprescripts');
  const behind = before < 0 ? scripts : scripts.slice(0, before);
  const [sub, sup] = behind.map(texOf);
  const [preSub, preSup] = before < 0 ? [] : scripts.slice(before + 1).map(texOf);
  return joined([
    preSub || preSup ? scripted('', preSub, preSup) : '',
    scripted(base && texOf(base), sub, sup),
  ]);
}

function fenced(element: Element): string {
  const [open, close] = [element.getAttribute('open') ?? '(', element.getAttribute('close') ?? ')'];
  return `\\left${written(open) || '.'}${texts(element).join(',')}\\right${written(close) || '.'}`;
}

const rowOf = (element: Element): string =>
  element.children.length > 0 ? row(childrenOf(element)) : written(textOf(element));

function enclosed(element: Element): string {
  const notation = element.getAttribute('notation') ?? '';
  const command = /strike/.test(notation) ? '\\cancel' : /box/.test(notation) ? '\\boxed' : '';
  return command + (command === '' ? rowOf(element) : `{${rowOf(element)}}`);
}

const writers: ReadonlyMap<string, (element: Element) => string> = new Map([
  ['menclose', enclosed],
  ['mfenced', fenced],
  ['mfrac', (element) => `${isWithoutLine(element) ? '\\genfrac{}{}{0pt}{}' : '\\frac'}${pair(element)}`],
  ['mi', identifier],
  ['mmultiscripts', multiscripts],
  ['mn', (element) => written(textOf(element)).replaceAll(',', '{,}')],
  ['mo', (element) => (element.children.length > 0 ? rowOf(element) : operator(element))],
  ['mover', ({ children: [base, over] }) => aroundBase(base, undefined, over)],
  ['mphantom', (element) => `\\phantom{${rowOf(element)}}`],
  ['mroot', ({ children: [base, index] }) => `\\sqrt[${texOf(index)}]{${texOf(base)}}`],
  ['ms', words],
  ['mspace', space],
  ['msqrt', (element) => `\\sqrt{${rowOf(element)}}`],
  ['msub', ({ children: [base, sub] }) => scripted(texOf(base), texOf(sub))],
  ['msubsup', ({ children: [base, sub, sup] }) => scripted(texOf(base), texOf(sub), texOf(sup))],
  ['msup', ({ children: [base, sup] }) => scripted(texOf(base), undefined, texOf(sup))],
  ['mtable', (element) => table(element)],
  ['mtext', words],
  ['munder', ({ children: [base, under] }) => aroundBase(base, under)],
  ['munderover', ({ children: [base, under, over] }) => aroundBase(base, under, over)],
]);

/** TeX of presentation MathML. Elements that have none of their own are written as what they hold: nothing is lost. */
export function texOf(element: Element | undefined): string {
  if (!element) return '';
  return (writers.get(element.localName) ?? rowOf)(element);
}

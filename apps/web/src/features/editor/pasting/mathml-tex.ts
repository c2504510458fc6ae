const takesLimits =
  /^\\(?:sum|prod|bigcup|bigcap|i*int|oint|lim(?:inf|sup)?|max|min|sup|inf|det|gcd|Pr|overbrace|underbrace)(?![a-z])/;
const matrices = mapOfPairs('() pmatrix [] bmatrix {} Bmatrix || vmatrix ∣∣ vmatrix ‖‖ Vmatrix ∥∥ Vmatrix');
const fence = /^[()[\]{}|∣‖∥⌊⌋⌈⌉⟨⟩]?$/;

/** Unwraps a row with a single element. */
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
  // `\\ [` would set the row height.
  return `\\begin{${name}}${rows.join(' \\\\ ').replaceAll('\\\\ [', '\\\\ {}[')}\\end{${name}}`;
}

/** A fenced table or lineless fraction: a matrix, cases, or a binomial coefficient. */
function betweenFences([open, inner, close]: readonly Element[]):
  | [tex: string, elements: number]
  | undefined {
  if (open?.localName !== 'mo' || !inner) return undefined;
  const fences = textOf(open) + (close?.localName === 'mo' ? textOf(close) : '');
  if (inner.localName === 'mfrac' && fences === '()' && isLineless(inner))
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

const isLineless = (element: Element): boolean => /^0/.test(element.getAttribute('linethickness') ?? '');
const texts = (element: Element): string[] => childrenOf(element).map(texOf);
const pair = (element: Element): string => {
  const [top = '', bottom = ''] = texts(element);
  return `{${top}}{${bottom}}`;
};

const isSingleToken =
  /^(?:.|\d+|\\[A-Za-z]+(?:\{[^{}]*\})?|\\.|\(.*\)|\\left.*\\right(?:.|\\[a-z]+|\\.)|\\(?:over|under)brace.*)$/u;
const script = (sign: string, tex: string | undefined): string => {
  if (tex === undefined || tex === '') return '';
  if (sign === '^' && /^'+$/.test(tex)) return tex;
  return sign + (/^[^']$/u.test(tex) ? tex : `{${tex}}`);
};
const scripted = (base = '', sub?: string, sup?: string): string =>
  `${isSingleToken.test(base) ? base : `{${base}}`}${script('_', sub)}${script('^', sup)}`;

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
  const postscripts = before < 0 ? scripts : scripts.slice(0, before);
  const [sub, sup] = postscripts.map(texOf);
  const [preSub, preSup] = before < 0 ? [] : scripts.slice(before + 1).map(texOf);
  return joined([
    preSub || preSup ? scripted('', preSub, preSup) : '',
    scripted(base && texOf(base), sub, sup),
  ]);
}

function fenced(element: Element): string {
  const [open, close] = [element.getAttribute('open') ?? '(', element.getAttribute('close') ?? ')'];
  return `\\left${texOfText(open) || '.'}${texts(element).join(',')}\\right${texOfText(close) || '.'}`;
}

const rowOf = (element: Element): string =>
  element.children.length > 0 ? row(childrenOf(element)) : texOfText(textOf(element));

function enclosed(element: Element): string {
  const notation = element.getAttribute('notation') ?? '';
  const command = /strike/.test(notation) ? '\\cancel' : /box/.test(notation) ? '\\boxed' : '';
  return command + (command === '' ? rowOf(element) : `{${rowOf(element)}}`);
}

const writers: ReadonlyMap<string, (element: Element) => string> = new Map([
  ['menclose', enclosed],
  ['mfenced', fenced],
  ['mfrac', (element) => `${isLineless(element) ? '\\genfrac{}{}{0pt}{}' : '\\frac'}${pair(element)}`],
  ['mi', identifier],
  ['mmultiscripts', multiscripts],
  ['mn', (element) => texOfText(textOf(element)).replaceAll(',', '{,}')],
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

/** Converts presentation MathML to TeX. Elements without a counterpart are replaced with their content. */
export function texOf(element: Element | undefined): string {
  if (!element) return '';
  return (writers.get(element.localName) ?? rowOf)(element);
}

/** Map from a list of alternating keys and values. */
function mapOfPairs(words: string): ReadonlyMap<string, string> {
  const all = words.split(/\s+/);
  return new Map(all.flatMap((word, at) => (at % 2 === 0 ? [[word, all[at + 1] ?? ''] as const] : [])));
}

/** Characters and their commands. KaTeX accepts most others literally. */
const commands = mapOfPairs(
  `α alpha β beta γ gamma δ delta ϵ epsilon ε varepsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi
   ρ rho σ sigma ς varsigma τ tau υ upsilon ϕ phi φ varphi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma
   Υ Upsilon Φ Phi Ψ Psi Ω Omega ∂ partial ∇ nabla ∞ infty ℓ ell ℏ hbar ∅ emptyset ∠ angle ∀ forall ∃ exists ¬ neg ∧ land ∨ lor
   ∩ cap ∪ cup ∖ setminus ⊂ subset ⊆ subseteq ⊃ supset ⊇ supseteq ∈ in ∉ notin ∋ ni × times ÷ div ± pm ∓ mp ⋅ cdot · cdot ∘ circ
   ⊕ oplus ⊗ otimes ≤ le ≥ ge ≠ ne ≡ equiv ≈ approx ≅ cong ≃ simeq ∼ sim ∝ propto ≪ ll ≫ gg ⊥ perp ∥ parallel ∣ mid → to
   ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ⟹ implies ⟺ iff ↦ mapsto ↑ uparrow ↓ downarrow
   ⇌ rightleftharpoons ∑ sum ∏ prod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap … ldots ⋯ cdots ⋮ vdots ⋱ ddots ⌊ lfloor ⌋ rfloor
   ⌈ lceil ⌉ rceil ⟨ langle ⟩ rangle ‖ | { { } } % % $ $ # # & & _ _ \\ backslash ^ wedge ~ sim`,
);
const plainSigns = mapOfPairs("− - ∗ * ′ ' ″ ''");
const functionName =
  /^(?:arc(?:cos|sin|tan)|arg|cosh?|coth?|csc|deg|det|dim|exp|gcd|hom|inf|ker|lg|lim(?:inf|sup)?|ln|log|max|min|Pr|sec|sinh?|sup|tanh?)$/;
const letterStyles = mapOfPairs(
  'bold mathbf bold-italic boldsymbol double-struck mathbb fraktur mathfrak monospace mathtt normal mathrm sans-serif mathsf script mathcal',
);
/** Unicode math alphabets and their `mathvariant`. */
const alphabets: readonly (readonly [RegExp, string])[] = [
  [/^[\u{1D434}-\u{1D467}\u{1D6E2}-\u{1D71B}ℎ]$/u, 'italic'],
  [/^[\u{1D400}-\u{1D433}]$/u, 'bold'],
  [/^[\u{1D538}-\u{1D56B}ℂℍℕℙℚℝℤ]$/u, 'double-struck'],
];

/** Text without invisible operators, such as function application. */
const textOf = (element: Element): string => element.textContent.replace(/[\s\u2061-\u2064]+/g, ' ').trim();

const MAX_COMMAND_LENGTH = 24;

const joined = (parts: readonly string[]): string =>
  parts
    .reduce(
      (all, part) =>
        all +
        (/\\[A-Za-z]+$/.test(all.slice(-MAX_COMMAND_LENGTH)) && /^[A-Za-z]/.test(part) ? ' ' : '') +
        part,
      '',
    )
    // Merges adjacent letters of one style.
    .replace(/(\\math[a-z]+\{)[^{}]*\}(?:\1[^{}]*\})+/g, (run, open: string) =>
      run.replaceAll(`}${open}`, ''),
    );

const texOfText = (text: string): string =>
  joined(
    [...text].map((sign) => plainSigns.get(sign) ?? (commands.has(sign) ? `\\${commands.get(sign)}` : sign)),
  );

function identifier(element: Element): string {
  const drawn = textOf(element);
  const alphabet = alphabets.find(([letters]) => letters.test(drawn))?.[1];
  const text = alphabet === undefined ? drawn : drawn.normalize('NFKC');
  if (functionName.test(text)) return `\\${text}`;
  // KaTeX writes bars as letters.
  if (/^[∣∥]$/.test(text)) return text === '∣' ? '|' : '\\|';
  const isLatin = /^[A-Za-z\d]+$/.test(text);
  const variant = alphabet ?? element.getAttribute('mathvariant') ?? '';
  if (variant === '' && isLatin && text.length > 1) return `\\operatorname{${text}}`;
  const style = isLatin || variant !== 'normal' ? letterStyles.get(variant) : undefined;
  return style === undefined ? texOfText(text) : `\\${style}{${texOfText(text)}}`;
}

function operator(element: Element): string {
  const text = textOf(element);
  if (functionName.test(text)) return `\\${text}`;
  if (/^\p{L}{2,}$/u.test(text)) return `\\operatorname{${text}}`;
  if (/^[∣∥]$/.test(text) && (element.getAttribute('fence') ?? element.getAttribute('stretchy')) !== null)
    return text === '∣' ? '|' : '\\|';
  return texOfText(text);
}

function words(element: Element): string {
  const text = element.textContent.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '');
  const escaped = text.replaceAll('\u00a0', ' ').replace(/[{}%$#&_]/g, '\\$&');
  if (/^[\u2006\u2009]$/.test(text)) return '\\,';
  return escaped.trim() === ''
    ? '\\ '
    : `\\text{${escaped.replace(/\\(?![{}%$#&_])/g, '\\textbackslash{}')}}`;
}

function space(element: Element): string {
  const ems = /^([\d.]+)em$/.exec(element.getAttribute('width') ?? '')?.[1];
  if (ems === undefined || Number(ems) === 0) return '';
  return Number(ems) < 0.25 ? '\\,' : Number(ems) < 0.9 ? '\\;' : '\\quad';
}

/** Accents: pattern, command above one letter, command above several. */
const accents: readonly (readonly [RegExp, string, string])[] = [
  [/^[¯ˉ‾―–]$/, 'bar', 'overline'],
  [/^[\^ˆ]$/, 'hat', 'widehat'],
  [/^[~˜∼]$/, 'tilde', 'widetilde'],
  [/^[→⃗⇀]$/, 'vec', 'overrightarrow'],
  [/^[˙.⋅]$/, 'dot', 'dot'],
  [/^¨$/, 'ddot', 'ddot'],
  [/^⏞$/, 'overbrace', 'overbrace'],
];

/** Base with an accent, line or brace; undefined if the script is not one. */
function accented(base: string, under: string, over: string): string | undefined {
  if (over === '' && /^[_‾¯ˉ―]$/.test(under)) return `\\underline{${base}}`;
  if (over === '' && under === '⏟') return `\\underbrace{${base}}`;
  const accent = under === '' ? accents.find(([sign]) => sign.test(over)) : undefined;
  return accent && `\\${/^(?:.|\\[A-Za-z]+)$/u.test(base) ? accent[1] : accent[2]}{${base}}`;
}

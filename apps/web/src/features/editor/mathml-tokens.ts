/** A map of words that stand in pairs. */
export function inPairs(words: string): ReadonlyMap<string, string> {
  const all = words.split(/\s+/);
  return new Map(all.flatMap((word, at) => (at % 2 === 0 ? [[word, all[at + 1] ?? ''] as const] : [])));
}

/** Characters and their commands. KaTeX reads most others as they are. */
const commands = inPairs(
  `α alpha β beta γ gamma δ delta ϵ epsilon ε varepsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi
   ρ rho σ sigma ς varsigma τ tau υ upsilon ϕ phi φ varphi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma
   Υ Upsilon Φ Phi Ψ Psi Ω Omega ∂ partial ∇ nabla ∞ infty ℓ ell ℏ hbar ∅ emptyset ∠ angle ∀ forall ∃ exists ¬ neg ∧ land ∨ lor
   ∩ cap ∪ cup ∖ setminus ⊂ subset ⊆ subseteq ⊃ supset ⊇ supseteq ∈ in ∉ notin ∋ ni × times ÷ div ± pm ∓ mp ⋅ cdot · cdot ∘ circ
   ⊕ oplus ⊗ otimes ≤ le ≥ ge ≠ ne ≡ equiv ≈ approx ≅ cong ≃ simeq ∼ sim ∝ propto ≪ ll ≫ gg ⊥ perp ∥ parallel ∣ mid → to
   ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ⟹ implies ⟺ iff ↦ mapsto ↑ uparrow ↓ downarrow
   ⇌ rightleftharpoons ∑ sum ∏ prod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap … ldots ⋯ cdots ⋮ vdots ⋱ ddots ⌊ lfloor ⌋ rfloor
   ⌈ lceil ⌉ rceil ⟨ langle ⟩ rangle ‖ | { { } } % % $ $ # # & & _ _ \\ backslash ^ wedge ~ sim`,
);
const plainSigns = inPairs("− - ∗ * ′ ' ″ ''");
const functionName =
  /^(?:arc(?:cos|sin|tan)|arg|cosh?|coth?|csc|deg|det|dim|exp|gcd|hom|inf|ker|lg|lim(?:inf|sup)?|ln|log|max|min|Pr|sec|sinh?|sup|tanh?)$/;
const letterStyles = inPairs(
  'bold mathbf bold-italic boldsymbol double-struck mathbb fraktur mathfrak monospace mathtt normal mathrm sans-serif mathsf script mathcal',
);
/** Letters of alphabets that MathML names as well. */
const alphabets: readonly (readonly [RegExp, string])[] = [
  [/^[\u{1D434}-\u{1D467}\u{1D6E2}-\u{1D71B}ℎ]$/u, 'italic'],
  [/^[\u{1D400}-\u{1D433}]$/u, 'bold'],
  [/^[\u{1D538}-\u{1D56B}ℂℍℕℙℚℝℤ]$/u, 'double-struck'],
];

/** Without the signs that nobody sees, as between a function and its argument. */
export const textOf = (element: Element): string =>
  element.textContent.replace(/[\s\u2061-\u2064]+/g, ' ').trim();

const LONGEST_COMMAND = 24;

export const joined = (parts: readonly string[]): string =>
  parts
    .reduce(
      (all, part) =>
        all + (/\\[A-Za-z]+$/.test(all.slice(-LONGEST_COMMAND)) && /^[A-Za-z]/.test(part) ? ' ' : '') + part,
      '',
    )
    // Letters of one style, each in an element of its own.
    .replace(/(\\math[a-z]+\{)[^{}]*\}(?:\1[^{}]*\})+/g, (run, open: string) =>
      run.replaceAll(`}${open}`, ''),
    );

export const written = (text: string): string =>
  joined(
    [...text].map((sign) => plainSigns.get(sign) ?? (commands.has(sign) ? `\\${commands.get(sign)}` : sign)),
  );

export function identifier(element: Element): string {
  const drawn = textOf(element);
  const alphabet = alphabets.find(([letters]) => letters.test(drawn))?.[1];
  const text = alphabet === undefined ? drawn : drawn.normalize('NFKC');
  if (functionName.test(text)) return `\\${text}`;
  // KaTeX says bars by letters.
  if (/^[∣∥]$/.test(text)) return text === '∣' ? '|' : '\\|';
  const isLatin = /^[A-Za-z\d]+$/.test(text);
  const variant = alphabet ?? element.getAttribute('mathvariant') ?? '';
  if (variant === '' && isLatin && text.length > 1) return `\\operatorname{${text}}`;
  const style = isLatin || variant !== 'normal' ? letterStyles.get(variant) : undefined;
  return style === undefined ? written(text) : `\\${style}{${written(text)}}`;
}

export function operator(element: Element): string {
  const text = textOf(element);
  if (functionName.test(text)) return `\\${text}`;
  if (/^\p{L}{2,}$/u.test(text)) return `\\operatorname{${text}}`;
  if (/^[∣∥]$/.test(text) && (element.getAttribute('fence') ?? element.getAttribute('stretchy')) !== null)
    return text === '∣' ? '|' : '\\|';
  return written(text);
}

export function words(element: Element): string {
  const text = element.textContent.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '');
  const escaped = text.replaceAll('\u00a0', ' ').replace(/[{}%$#&_]/g, '\\$&');
  if (/^[\u2006\u2009]$/.test(text)) return '\\,';
  return escaped.trim() === ''
    ? '\\ '
    : `\\text{${escaped.replace(/\\(?![{}%$#&_])/g, '\\textbackslash{}')}}`;
}

export function space(element: Element): string {
  const ems = /^([\d.]+)em$/.exec(element.getAttribute('width') ?? '')?.[1];
  if (ems === undefined || Number(ems) === 0) return '';
  return Number(ems) < 0.25 ? '\\,' : Number(ems) < 0.9 ? '\\;' : '\\quad';
}

/** A sign above a letter, and above several. */
const accents: readonly (readonly [RegExp, string, string])[] = [
  [/^[¯ˉ‾―–]$/, 'bar', 'overline'],
  [/^[\^ˆ]$/, 'hat', 'widehat'],
  [/^[~˜∼]$/, 'tilde', 'widetilde'],
  [/^[→⃗⇀]$/, 'vec', 'overrightarrow'],
  [/^[˙.⋅]$/, 'dot', 'dot'],
  [/^¨$/, 'ddot', 'ddot'],
  [/^⏞$/, 'overbrace', 'overbrace'],
];

/** A line, a brace or an arrow of a base's own; undefined for what only stands there. */
export function accented(base: string, under: string, over: string): string | undefined {
  if (over === '' && /^[_‾¯ˉ―]$/.test(under)) return `\\underline{${base}}`;
  if (over === '' && under === '⏟') return `\\underbrace{${base}}`;
  const accent = under === '' ? accents.find(([sign]) => sign.test(over)) : undefined;
  return accent && `\\${/^(?:.|\\[A-Za-z]+)$/u.test(base) ? accent[1] : accent[2]}{${base}}`;
}

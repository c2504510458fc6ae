const element = (owner: Element, name: string, ...content: (Node | string)[]): Element => {
  const made = owner.ownerDocument.createElement(name);
  made.append(...content);
  return made;
};

/** MathJax font classes and their MathML `mathvariant`. */
const variants: readonly (readonly [RegExp, string])[] = [
  [/^TEX-C/, 'script'],
  [/^TEX-FR/, 'fraktur'],
  [/^TEX-A$/, 'double-struck'],
  [/^TEX-B$/, 'bold'],
  [/^TEX-BI/, 'bold-italic'],
];

/** Code point and font of a rendered character: from classes, or in SVG from attributes. */
const glyphClasses = (it: Element): string[] => [
  ...it.classList,
  // A nested stroke, such as one of a double prime, is not a character.
  `mjx-c${it.parentElement?.closest('[data-c]') ? '' : (it.getAttribute('data-c') ?? '')}`,
  ...(/TEX-[A-Z]+/.exec(it.getAttribute('xlink:href') ?? '') ?? []),
];

function token(drawn: Element, name: string): Element {
  const classes = [drawn, ...drawn.querySelectorAll('*')].flatMap(glyphClasses);
  const numbers = classes.flatMap((it) => /^mjx-c([\dA-F]+)$/.exec(it)?.[1] ?? []);
  const text = numbers.map((it) => String.fromCodePoint(Math.min(parseInt(it, 16), 0x10ffff))).join('');
  // Long arrows and braces consist of pieces, some of them in the private use area.
  const whole = text.replace(/[\uE000-\uF8FF]/g, '').replace(/^(?:→−+|−+→)$/, '→');
  const written = text === '' ? drawn.textContent : whole;
  const made = element(drawn, name, written);
  const isLetters = name === 'mi' && /^[A-Za-z]+$/.test(written);
  const variant = variants.find(([pattern]) => classes.some((it) => pattern.test(it)))?.[1];
  if (isLetters) made.setAttribute('mathvariant', variant ?? 'normal');
  return made;
}

/** Layout elements without a MathML counterpart. */
const layoutOnly = /^mjx-(?:\w*strut|line|surd|spacer|lbox|labels)$/;
const partOf = (drawn: Element, name: string): Element | undefined =>
  [...drawn.querySelectorAll(name)].find((it) => it.parentElement?.closest(drawn.localName) === drawn);
const rowIn = (drawn: Element, name: string): Element =>
  element(drawn, 'mrow', ...contentOf(partOf(drawn, name)));

function contentOf(drawn: Element | undefined): Element[] {
  return [...(drawn?.children ?? [])]
    .filter(({ localName }) => !layoutOnly.test(localName))
    .flatMap((it) => (it.localName === 'mjx-script' ? contentOf(it).reverse() : [mathMlOf(it)]));
}

function partsOf(drawn: Element, name: string): Element[] {
  if (name === 'mfrac') return [rowIn(drawn, 'mjx-num'), rowIn(drawn, 'mjx-den')];
  if (name === 'mroot') return [rowIn(drawn, 'mjx-box'), rowIn(drawn, 'mjx-root')];
  if (name === 'msqrt') return [rowIn(drawn, 'mjx-box')];
  if (name === 'mtable') return contentOf(partOf(drawn, 'mjx-itable'));
  if (/^m(?:under|over)/.test(name) && drawn.getAttribute('limits') !== 'false')
    return ['mjx-base', 'mjx-under', 'mjx-over']
      .filter((it) => it === 'mjx-base' || name.includes(it.slice(4)))
      .map((it) => rowIn(drawn, it));
  return contentOf(drawn);
}

const isToken = (name: string): boolean => /^(?:mi|mn|mo|mtext|ms)$/.test(name);

const heightOf = (group: Element): number =>
  Number(/^translate\([-\d.]+,([-\d.]+)\)/.exec(group.getAttribute('transform') ?? '')?.[1] ?? 0);

/** Child groups in SVG output, subscript before superscript. */
function groupsIn(group: Element): Element[] {
  const [base, ...others] = [...group.querySelectorAll('[data-mml-node]')].filter(
    (it) => it.parentElement?.closest('[data-mml-node]') === group,
  );
  if (!base) return [];
  const hasScripts = /^m(?:subsup|underover)$/.test(group.getAttribute('data-mml-node') ?? '');
  return [base, ...(hasScripts ? others.sort((one, other) => heightOf(one) - heightOf(other)) : others)];
}

/** MathML of a group in SVG output, which names its element. */
function mathMlOfGroup(group: Element): Element {
  const name = /^m[a-z]+$/.exec(group.getAttribute('data-mml-node') ?? '')?.[0] ?? 'mrow';
  if (isToken(name)) return token(group, name);
  const parts = groupsIn(group)
    .map(mathMlOfGroup)
    .filter((it) => !/^m(?:sqrt|root)$/.test(name) || it.textContent !== '√');
  const made = element(group, name, ...parts);
  if (name === 'mfrac' && !group.querySelector('rect')) made.setAttribute('linethickness', '0');
  return made;
}

/** Rebuilds MathML from MathJax 3 output, as Chromium does not copy the assistive MathML in it. */
export function mathMlOf(drawn: Element): Element {
  if (drawn.hasAttribute('data-mml-node')) return mathMlOfGroup(drawn);
  const name = /^mjx-(m[a-z]+)$/.exec(drawn.localName)?.[1] ?? 'mrow';
  if (isToken(name)) return token(drawn, name);
  const made = element(drawn, name, ...partsOf(drawn, name));
  if (name === 'mfrac' && !partOf(drawn, 'mjx-line')) made.setAttribute('linethickness', '0');
  return made;
}

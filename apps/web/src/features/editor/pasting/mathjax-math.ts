const element = (owner: Element, name: string, ...content: (Node | string)[]): Element => {
  const made = owner.ownerDocument.createElement(name);
  made.append(...content);
  return made;
};

/** The classes of fonts in which letters mean something else, and how MathML says so. */
const variants: readonly (readonly [RegExp, string])[] = [
  [/^TEX-C/, 'script'],
  [/^TEX-FR/, 'fraktur'],
  [/^TEX-A$/, 'double-struck'],
  [/^TEX-B$/, 'bold'],
  [/^TEX-BI/, 'bold-italic'],
];

/** Each drawn character names its code point and font: by classes, or in a picture by attributes. */
const drawingOf = (it: Element): string[] => [
  ...it.classList,
  // One of two strokes, as of a double prime, is no character by itself.
  `mjx-c${it.parentElement?.closest('[data-c]') ? '' : (it.getAttribute('data-c') ?? '')}`,
  ...(/TEX-[A-Z]+/.exec(it.getAttribute('xlink:href') ?? '') ?? []),
];

function token(drawn: Element, name: string): Element {
  const classes = [drawn, ...drawn.querySelectorAll('*')].flatMap(drawingOf);
  const numbers = classes.flatMap((it) => /^mjx-c([\dA-F]+)$/.exec(it)?.[1] ?? []);
  const text = numbers.map((it) => String.fromCodePoint(Math.min(parseInt(it, 16), 0x10ffff))).join('');
  // Long arrows and braces are put together, of pieces that have no character as well.
  const whole = text.replace(/[\uE000-\uF8FF]/g, '').replace(/^(?:→−+|−+→)$/, '→');
  const written = text === '' ? drawn.textContent : whole;
  const made = element(drawn, name, written);
  const isLetters = name === 'mi' && /^[A-Za-z]+$/.test(written);
  const variant = variants.find(([pattern]) => classes.some((it) => pattern.test(it)))?.[1];
  if (isLetters) made.setAttribute('mathvariant', variant ?? 'normal');
  return made;
}

/** Boxes that set a formula on the page: scripts, and the halves of a fraction, in places of their own. */
const setting = /^mjx-(?:\w*strut|line|surd|spacer|lbox|labels)$/;
const partOf = (drawn: Element, name: string): Element | undefined =>
  [...drawn.querySelectorAll(name)].find((it) => it.parentElement?.closest(drawn.localName) === drawn);
const rowIn = (drawn: Element, name: string): Element =>
  element(drawn, 'mrow', ...contentOf(partOf(drawn, name)));

function contentOf(drawn: Element | undefined): Element[] {
  return [...(drawn?.children ?? [])]
    .filter(({ localName }) => !setting.test(localName))
    .flatMap((it) => (it.localName === 'mjx-script' ? contentOf(it).reverse() : [mathOf(it)]));
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

/** The groups of a picture that an element of MathML holds, from the lower to the upper of two scripts. */
function groupsIn(group: Element): Element[] {
  const [base, ...others] = [...group.querySelectorAll('[data-mml-node]')].filter(
    (it) => it.parentElement?.closest('[data-mml-node]') === group,
  );
  if (!base) return [];
  const hasScripts = /^m(?:subsup|underover)$/.test(group.getAttribute('data-mml-node') ?? '');
  return [base, ...(hasScripts ? others.sort((one, other) => heightOf(one) - heightOf(other)) : others)];
}

/** In a picture each group names its element of MathML. */
function mathOfGroup(group: Element): Element {
  const name = /^m[a-z]+$/.exec(group.getAttribute('data-mml-node') ?? '')?.[0] ?? 'mrow';
  if (isToken(name)) return token(group, name);
  const parts = groupsIn(group)
    .map(mathOfGroup)
    .filter((it) => !/^m(?:sqrt|root)$/.test(name) || it.textContent !== '√');
  const made = element(group, name, ...parts);
  if (name === 'mfrac' && !group.querySelector('rect')) made.setAttribute('linethickness', '0');
  return made;
}

/** MathML of a formula as MathJax 3 draws it. Chromium does not copy the MathML that it holds for screen readers. */
export function mathOf(drawn: Element): Element {
  if (drawn.hasAttribute('data-mml-node')) return mathOfGroup(drawn);
  const name = /^mjx-(m[a-z]+)$/.exec(drawn.localName)?.[1] ?? 'mrow';
  if (isToken(name)) return token(drawn, name);
  const made = element(drawn, name, ...partsOf(drawn, name));
  if (name === 'mfrac' && !partOf(drawn, 'mjx-line')) made.setAttribute('linethickness', '0');
  return made;
}

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

/** A character is drawn by a class with its number. */
function token(drawn: Element, name: string): Element {
  const classes = [drawn, ...drawn.querySelectorAll('*')].flatMap((it) => [...it.classList]);
  const numbers = classes.flatMap((it) => /^mjx-c([\dA-F]+)$/.exec(it)?.[1] ?? []);
  const text = numbers.map((it) => String.fromCodePoint(Math.min(parseInt(it, 16), 0x10ffff))).join('');
  const written = text === '' ? drawn.textContent : text;
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

/** MathML of a formula as MathJax 3 draws it. Chromium does not copy the MathML that it holds for screen readers. */
export function mathOf(drawn: Element): Element {
  const name = /^mjx-(m[a-z]+)$/.exec(drawn.localName)?.[1] ?? 'mrow';
  if (/^(?:mi|mn|mo|mtext|ms)$/.test(name)) return token(drawn, name);
  const made = element(drawn, name, ...partsOf(drawn, name));
  if (name === 'mfrac' && !partOf(drawn, 'mjx-line')) made.setAttribute('linethickness', '0');
  return made;
}

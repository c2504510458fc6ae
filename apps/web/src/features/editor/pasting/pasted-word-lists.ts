const listStyle = /mso-list:\s*l(\d+)\s+level(\d)/i;

interface Item {
  element: Element;
  level: number;
  marker: string;
}

/** List item from Word: a paragraph with its level in the style and its marker as text. */
function itemOf(element: Element): Item | undefined {
  const match = listStyle.exec(element.getAttribute('data-style') ?? '');
  if (!match) return undefined;
  const ignored = [...element.querySelectorAll('span[data-style]')].find((span) =>
    /mso-list:\s*ignore/i.test(span.getAttribute('data-style') ?? ''),
  );
  const marker = ignored?.textContent.replace(/\s+/g, '') ?? '';
  return { element, level: Number(match[2]), marker };
}

function newList(owner: Document, { marker }: Item): HTMLElement {
  const isOrdered = /^(?:\d+|[a-z]{1,4})[.)]$/i.test(marker);
  const list = owner.createElement(isOrdered ? 'ol' : 'ul');
  const start = Number.parseInt(marker, 10);
  if (isOrdered && start > 1) list.setAttribute('start', String(start));
  return list;
}

function nest(owner: Document, items: readonly Item[]): void {
  const [first] = items;
  if (!first) return;
  const open: { list: HTMLElement; level: number }[] = [];
  for (const item of items) {
    while ((open.at(-1)?.level ?? 0) > item.level) open.pop();
    let top = open.at(-1);
    if (!top || top.level < item.level) {
      const list = newList(owner, item);
      if (top) (top.list.lastElementChild ?? top.list).append(list);
      else first.element.before(list);
      top = { list, level: item.level };
      open.push(top);
    }
    const entry = owner.createElement('li');
    item.element.querySelectorAll('span[data-style]').forEach((span) => {
      if (/mso-list:\s*ignore/i.test(span.getAttribute('data-style') ?? '')) span.remove();
    });
    const line = owner.createElement('p');
    line.append(...item.element.childNodes);
    entry.append(line);
    top.list.append(entry);
  }
  items.forEach(({ element }) => element.remove());
}

/** Converts the lists of Word for the web, one per item, to the paragraphs that desktop Word writes. */
function asParagraphs(body: HTMLElement): void {
  for (const box of body.querySelectorAll('.ListContainerWrapper')) {
    const lines = [...box.querySelectorAll('li')].map((item, index) => {
      const line = item.querySelector('p') ?? body.ownerDocument.createElement('p');
      if (!line.parentElement) line.append(...item.childNodes);
      const list = item.parentElement;
      const mark = body.ownerDocument.createElement('span');
      mark.setAttribute('data-style', 'mso-list:ignore');
      mark.append(list?.localName === 'ol' ? `${Number(list.getAttribute('start') ?? 1) + index}.` : '·');
      line.prepend(mark);
      line.setAttribute('data-style', `mso-list:l0 level${item.getAttribute('aria-level') ?? 1}`);
      return line;
    });
    box.replaceWith(...lines);
  }
}

/** Converts Word's list paragraphs to lists. */
export function nestWordLists(body: HTMLElement): void {
  asParagraphs(body);
  let run: Item[] = [];
  const runs: Item[][] = [];
  for (const element of body.querySelectorAll('p,h1,h2,h3,h4,h5,h6')) {
    const item = itemOf(element);
    const isNext = run.length === 0 || element.previousElementSibling === run.at(-1)?.element;
    if (!isNext || !item) {
      if (run.length > 0) runs.push(run);
      run = [];
    }
    if (item) run.push(item);
  }
  if (run.length > 0) runs.push(run);
  runs.forEach((items) => nest(body.ownerDocument, items));
}

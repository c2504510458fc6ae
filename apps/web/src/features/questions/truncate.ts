/** A title is cut only where the cut saves more than its ellipsis costs. */
const title = { longerThan: 78, to: 75 };
const preview = { longerThan: 100, to: 70 };

function cut(text: string, { longerThan, to }: { longerThan: number; to: number }): string {
  const characters = Array.from(text);
  return characters.length > longerThan ? `${characters.slice(0, to).join('')}…` : text;
}

export function titleForCard(text: string): string {
  return cut(text, title);
}

/** The same cut for a title in parts, over all of them together. */
export function titlePartsForCard<Part extends { text: string }>(parts: readonly Part[]): readonly Part[] {
  if (Array.from(parts.map(({ text }) => text).join('')).length <= title.longerThan) return parts;
  let left = title.to;
  return parts.flatMap((part) => {
    if (left === 0) return [];
    const characters = Array.from(part.text).slice(0, left);
    left -= characters.length;
    return [{ ...part, text: `${characters.join('')}${left === 0 ? '…' : ''}` }];
  });
}

/** The beginning of a body, from its excerpt. */
export function previewForCard(text: string): string {
  return cut(text, preview);
}

const blockEnd = /<(?:br|\/p|\/li|\/h\d|\/pre|\/blockquote|hr)\b[^>]*>/gi;

/** The words of a body, white space folded. */
export function plainText(html: string): string {
  // A document of its own: nothing in it is loaded or run.
  const { body } = new DOMParser().parseFromString(html.replace(blockEnd, '$& '), 'text/html');
  return body.textContent.replace(/\s+/g, ' ').trim();
}

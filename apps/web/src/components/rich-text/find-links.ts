/** A URL in a text, and its position. */
export interface TextLink {
  href: string;
  start: number;
  end: number;
}

/** A scheme or `www.` at the start of a word: `System.in` and `arr.at(-1)` are not URLs. */
const address =
  /(?<![\p{Lu}\p{Ll}\p{N}@/.])(?:https?:\/\/|www\.)[^\s<>"`\uFFFC\u3000-\u303F\uFF01\uFF08\uFF09\uFF0C\uFF1A\uFF1B\uFF1F]+/giu;
const hasHost = /^(?:https?:\/\/[\p{L}\p{N}[]|www\.[^\s.]+\.[\p{L}\p{N}])/iu;
const openings: Readonly<Record<string, string>> = {
  ')': '(',
  ']': '[',
  '}': '{',
  '»': '«',
  '”': '“',
  '“': '„',
};
/** Also the sentence endings of Arabic, Hindi and related scripts. */
const punctuation = /[.,:;!?'’*_~…|،؛؟۔।॥]/;

/** End of a URL: before the punctuation of its sentence, after a bracket that opens inside it. */
function endOf(text: string): number {
  const open = new Map<string, number>();
  for (const sign of text) open.set(sign, (open.get(sign) ?? 0) + 1);
  let end = text.length;
  for (; end > 0; end -= 1) {
    const last = text[end - 1] ?? '';
    const opening = openings[last];
    const isUnbalanced = opening !== undefined && (open.get(last) ?? 0) > (open.get(opening) ?? 0);
    if (!punctuation.test(last) && !isUnbalanced) break;
    open.set(last, (open.get(last) ?? 0) - 1);
  }
  return end;
}

/** The unambiguous URLs of a text. */
export function findLinks(text: string): TextLink[] {
  return [...text.matchAll(address)].flatMap(({ 0: whole, index }) => {
    const found = whole.slice(0, endOf(whole));
    if (!hasHost.test(found)) return [];
    const href = /^www\./i.test(found) ? `https://${found}` : found;
    return [{ href, start: index, end: index + found.length }];
  });
}

/** Of the private use area: no word has them, so that nothing of a text can be taken for a tag. */
export const MARK_START = '\uE000';
export const MARK_END = '\uE001';

/** The words in which something is marked; Typesense marks only that part of a word that was typed. */
export function markedWords(values: readonly (string | undefined)[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const value of values) {
    let isOpen = false;
    for (const word of value?.split(' ') ?? []) {
      const start = word.lastIndexOf(MARK_START);
      const end = word.lastIndexOf(MARK_END);
      if (isOpen || start >= 0) words.add(word.replaceAll(MARK_START, '').replaceAll(MARK_END, ''));
      if (start !== end) isOpen = start > end;
    }
  }
  return words;
}

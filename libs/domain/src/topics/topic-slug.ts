/**
 * What makes two names of a subject the same topic: case, accents' encoding, spaces and punctuation do not matter, while
 * letters of any script, digits, symbols and # do ("C", "C#" and "C++" are three). Empty where nothing is left.
 */
export const topicSlug = (topicName: string): string =>
  topicName
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}\p{S}#]+/gu, '-')
    .replace(/^-+|-+$/g, '');

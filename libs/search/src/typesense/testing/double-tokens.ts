const LETTER_OR_DIGIT = /[a-z0-9]/;
const ASCII = /[\0-\x7f]/;

/**
 * A word as the server indexes it in a field without a locale: ASCII symbols only if listed by the collection, letters in their ASCII form
 * if they have one. The rest of the tokenizer is not reproduced, as our words are folded and separated by spaces.
 */
export const tokenOf = (word: string, symbols: readonly string[]): string =>
  Array.from(word.toLowerCase(), (letter) => {
    const [base = ''] = letter.normalize('NFD');
    if (!ASCII.test(base)) return letter;
    return LETTER_OR_DIGIT.test(base) || symbols.includes(base) ? base : '';
  }).join('');

export const tokensOf = (text: string, symbols: readonly string[]): string[] =>
  text
    .split(' ')
    .map((word) => tokenOf(word, symbols))
    .filter((token) => token !== '');

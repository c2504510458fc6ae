const LETTER_OR_DIGIT = /[a-z0-9]/;
const ASCII = /[\0-\x7f]/;

/**
 * A word as the server indexes it in a field without a locale: of the ASCII signs only those that the collection names, and a letter that
 * has an ASCII form as that form. Nothing else of the server's tokenizer is here: our words come folded and with spaces between them.
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

/** Leaves room for what makes a name unique. */
const LONGEST = 40;

/** Letters that do not fall apart into a Latin letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ...pairs('æ ae œ oe ø o ß ss ł l đ d ð d þ th ħ h ı i ŋ n'),
  ...pairs(
    'а a б b в v г g д d е e ж zh з z и i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh',
  ),
  ...pairs('щ shch ы y э e ю yu я ya ъ _ ь _ і i ї yi є ye ґ g'),
  ...pairs(
    'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o',
  ),
};

/**
 * A valid user name that is as near to a display name as ASCII allows. Not unique.
 *
 * @param id what names somebody of whose display name nothing is left
 */
export function userNameFrom(displayName: string, id: string): string {
  const name = [...displayName.normalize('NFKD')]
    .map(asciiOf)
    .join('')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .slice(0, LONGEST)
    .replace(/^_+|_+$/g, '');
  if (name === '') return `user_${id.replace(/\D+/g, '') || 'x'}`;
  return /^\d+$/.test(name) ? `user_${name}` : name;
}

function asciiOf(character: string): string {
  if (/\p{M}/u.test(character)) return '';
  const lower = character.toLowerCase();
  const found = LETTERS[lower];
  if (found === undefined) return character;
  return lower === character ? found : found.charAt(0).toUpperCase() + found.slice(1);
}

function pairs(text: string): Record<string, string> {
  const words = text.split(' ');
  return Object.fromEntries(
    words.flatMap((word, index) =>
      index % 2 === 0 ? [[word, (words[index + 1] ?? '').replace('_', '')]] : [],
    ),
  );
}

/**
 * The inside of a character class: controls other than tab and line feed, and characters that turn the direction of the text around
 * them. No text keeps them.
 */
export const CONTROL_CHARACTERS =
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';

const ALL_CONTROLS = new RegExp(`[${CONTROL_CHARACTERS}]`, 'g');
/** Line breaks of Windows, of Word and of mainframes. */
const OTHER_BREAKS = /\r\n?|[\v\f\u0085]/g;

/** A text as it is stored: every character but controls. Joiners stay, as scripts and emoji need them. */
export const visibleText = (text: string): string =>
  text.replace(OTHER_BREAKS, '\n').replace(ALL_CONTROLS, '');

/** Draws something by itself: no white space, control, format, private-use or filler character, and no mark without its letter. */
const SEEN =
  /[^\s\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

/** Nothing of it can be seen, whatever it consists of. */
export const isBlankText = (text: string): boolean => !SEEN.test(text);

/** In characters as a person counts them, not in UTF-16 units. */
export const lengthOf = (text: string): number => [...text].length;

/** Draws nothing, or turns its neighbours around: format characters, controls, private and unassigned ones, fillers. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Variation_Selector}\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/gu;
const [NON_JOINER, JOINER, AS_EMOJI] = ['\u200C', '\u200D', '\uFE0F'];
/** Scripts in which a joiner between two letters changes how they are drawn. */
const JOINED =
  /[\p{scx=Arab}\p{scx=Beng}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Khmr}\p{scx=Knda}\p{scx=Mlym}\p{scx=Orya}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}]/u;
const EMOJI = /\p{Extended_Pictographic}/u;
const END_OF_EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u;

/** A name as it is stored: one form of each letter, nothing that cannot be seen, single spaces. */
export const visibleName = (name: string): string => {
  const characters = [...name.normalize('NFC').replace(/\s+/gu, ' ')];
  return characters
    .map((character, place) => {
      const [before = '', after = ''] = [characters[place - 1], characters[place + 1]];
      return isNeeded(character, before, after) ? character : character.replace(UNSEEN, '');
    })
    .join('')
    .replace(/ +/g, ' ')
    .trim();
};

function isNeeded(character: string, before: string, after: string): boolean {
  if (character === AS_EMOJI) return EMOJI.test(before);
  if (character !== JOINER && character !== NON_JOINER) return false;
  if (JOINED.test(before) && JOINED.test(after)) return true;
  return character === JOINER && END_OF_EMOJI.test(before) && EMOJI.test(after);
}

/** Signs in a name are the product's: a check mark or a shield in it would pass for a badge of the staff. */
const SIGNS = /[\p{So}\p{Extended_Pictographic}\p{Emoji_Modifier}]/gu;

export const personName = (name: string): string => visibleName(name.replace(SIGNS, ''));

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Characters that never belong to their neighbour: most texts are made of them, and a rebuild cuts all there are. */
const SEPARATE =
  /^[\x20-\u02ff\u0370-\u0482\u048a-\u0590\u2010-\u2027\u3000-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uff01-\uff5e]*$/;

/** The beginning of a text: at most `max` characters, as `lengthOf` counts them, and none that a reader sees is cut in two. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  if (SEPARATE.test(text.slice(0, max + 1))) return text.slice(0, max);
  const end = unitsOf(text, max);
  if (end >= text.length) return text;
  const next = String.fromCodePoint(text.codePointAt(end) ?? 0);
  const whole = GRAPHEMES.segment(text.slice(0, end) + next).containing(end)?.index;
  // Marks without end on one letter: their beginning is better than nothing.
  return text.slice(0, whole || end);
}

/** Drops the last character of a text that was cut anywhere, as it may be incomplete. */
export function wholeOf(beginning: string): string {
  if (SEPARATE.test(beginning.slice(-1))) return beginning;
  return beginning.slice(0, GRAPHEMES.segment(beginning).containing(beginning.length - 1)?.index);
}

/** How many UTF-16 units the first characters take. */
function unitsOf(text: string, characters: number): number {
  let units = 0;
  for (let left = characters; left > 0 && units < text.length; left -= 1)
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}

/** Contents of a character class: controls except tab and line feed, and bidirectional controls. Removed from all text. */
export const CONTROL_CHARACTERS =
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';

const ALL_CONTROLS = new RegExp(`[${CONTROL_CHARACTERS}]`, 'g');
/** Line breaks from Windows, Word and mainframes. */
const OTHER_BREAKS = /\r\n?|[\v\f\u0085]/g;

/** Text as stored, without control characters. Joiners stay because scripts and emoji need them. */
export const visibleText = (text: string): string =>
  text.replace(OTHER_BREAKS, '\n').replace(ALL_CONTROLS, '');

/** Visible on its own: no white space, control, format, private-use or filler character, and no combining mark. */
const VISIBLE =
  /[^\s\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

export const isBlankText = (text: string): boolean => !VISIBLE.test(text);

/** Length in code points. */
export const lengthOf = (text: string): number => [...text].length;

/** Format, control, private-use, unassigned and filler characters. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Variation_Selector}\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/gu;
const [NON_JOINER, JOINER, EMOJI_SELECTOR] = ['\u200C', '\u200D', '\uFE0F'];
/** Scripts in which a joiner between two letters changes their shape. */
const JOINING_SCRIPT =
  /[\p{scx=Arab}\p{scx=Beng}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Khmr}\p{scx=Knda}\p{scx=Mlym}\p{scx=Orya}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}]/u;
const EMOJI = /\p{Extended_Pictographic}/u;
const END_OF_EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u;

/** Name as stored: NFC, without invisible characters, with single spaces. */
export const visibleName = (name: string): string => {
  const characters = [...name.normalize('NFC').replace(/\s+/gu, ' ')];
  return characters
    .map((character, index) => {
      const [before = '', after = ''] = [characters[index - 1], characters[index + 1]];
      return isNeeded(character, before, after) ? character : character.replace(INVISIBLE, '');
    })
    .join('')
    .replace(/ +/g, ' ')
    .trim();
};

function isNeeded(character: string, before: string, after: string): boolean {
  if (character === EMOJI_SELECTOR) return EMOJI.test(before);
  if (character !== JOINER && character !== NON_JOINER) return false;
  if (JOINING_SCRIPT.test(before) && JOINING_SCRIPT.test(after)) return true;
  return character === JOINER && END_OF_EMOJI.test(before) && EMOJI.test(after);
}

/** A check mark or shield in a name could pass for a staff badge. */
const SYMBOLS = /[\p{So}\p{Extended_Pictographic}\p{Emoji_Modifier}]/gu;

/** Name of a person as stored: a visible name without symbols and emoji. */
export const personName = (name: string): string => visibleName(name.replace(SYMBOLS, ''));

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Characters that never combine with their neighbours: a fast path for most text, since rebuilds cut every text. */
const STANDALONE =
  /^[\x20-\u02ff\u0370-\u0482\u048a-\u0590\u2010-\u2027\u3000-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uff01-\uff5e]*$/;

/** Cuts text to at most `max` code points without splitting a grapheme. */
export function truncateText(text: string, max: number): string {
  if (text.length <= max) return text;
  if (STANDALONE.test(text.slice(0, max + 1))) return text.slice(0, max);
  const end = utf16Length(text, max);
  if (end >= text.length) return text;
  const next = String.fromCodePoint(text.codePointAt(end) ?? 0);
  const whole = GRAPHEMES.segment(text.slice(0, end) + next).containing(end)?.index;
  // A single grapheme longer than `max` is split rather than dropped.
  return text.slice(0, whole || end);
}

/** Drops the last grapheme of text that was cut anywhere, because it may be incomplete. */
export function dropPartialGrapheme(text: string): string {
  if (STANDALONE.test(text.slice(-1))) return text;
  return text.slice(0, GRAPHEMES.segment(text).containing(text.length - 1)?.index);
}

/** UTF-16 length of the first code points. */
function utf16Length(text: string, characters: number): number {
  let units = 0;
  for (let left = characters; left > 0 && units < text.length; left -= 1)
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}

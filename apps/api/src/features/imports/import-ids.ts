import { v5 as uuidv5 } from 'uuid';
import { isRobot, mention, robotId } from '@nimo/domain';

const NAMESPACE = 'c2a9f0d4-5b7e-5c31-8f6a-1e0d7b94a2f3';

/** Users with negative IDs are the site itself, such as -1, "Community". */
const SITE_ACCOUNT = /^-\d+$/;

/** Deterministic IDs of one import, derived from the identity of the source and the space name. */
export class ImportIds {
  readonly importId: string;

  constructor(identity: string, spaceName: string, source = 'stackexchange') {
    this.importId = uuidv5(`${source}:${identity}:${spaceName.trim().toLowerCase()}`, NAMESPACE);
  }

  /** @param attempt number of removed imports of the same source */
  static forAttempt(identity: string, spaceName: string, attempt: number, source?: string): ImportIds {
    return new ImportIds(attempt === 0 ? identity : `${identity}:${attempt}`, spaceName, source);
  }

  /** Command ID for an item of the source. */
  command(name: string): string {
    return uuidv5(name, this.importId);
  }

  /** Local ID for an ID of an exported space. Robots remain robots. */
  mapped(id: string): string {
    const here = this.command(`id:${id.toLowerCase()}`);
    return isRobot(id) ? robotId(here) : here;
  }

  /** ID of the entity that the command creates; must match `deterministicId`. */
  created(name: string, kind: 'space' | 'subject' | 'question' | 'answer' | 'comment'): string {
    return uuidv5(kind, this.command(name));
  }

  /** @param author ID in the dump, or the name of a deleted user after a `~` */
  student(author: string): string {
    const id = this.command(`student:${author}`);
    return SITE_ACCOUNT.test(author) ? robotId(id) : id;
  }

  standIn(voter: number): string {
    return this.command(`stand-in:${voter}`);
  }

  question(row: number): string {
    return this.created(`posts:${row}`, 'question');
  }

  answer(row: number): string {
    return this.created(`posts:${row}`, 'answer');
  }

  comment(row: number): string {
    return this.created(`comments:${row}`, 'comment');
  }
}

/** Counts changes to imported content by kind. */
export type NoteChange = (change: string, count?: number) => void;

/**
 * Resolves relative URLs against the source site. Fragment links become text, since their page is not imported.
 *
 * @param origin base URL of the source; without it, relative links become text
 */
export const resolveAddresses =
  (origin: string | undefined, note: NoteChange) =>
  (address: string, of: 'link' | 'picture'): string | undefined => {
    const trimmed = address.trim();
    if (URL.canParse(trimmed)) return trimmed;
    const absolute = trimmed.startsWith('#') ? undefined : resolve(trimmed, origin);
    note(`relative ${of}s ${absolute === undefined ? 'turned into text' : 'made absolute'}`);
    return absolute;
  };

function resolve(address: string, origin: string | undefined): string | undefined {
  const base = origin ?? (/^[/\\]{2}/.test(address) ? 'https://localhost' : undefined);
  return base !== undefined && URL.canParse(address, base) ? new URL(address, base).href : undefined;
}

/** A display name after an @, written without spaces. */
const MENTIONED_NAME = /@([\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’_.-]*)/gu;
const MIN_LETTERS = 3;

interface Mentionable {
  readonly studentId: string;
  readonly name: string;
}

const withoutSpaces = (name: string): string => name.replace(/\s+/g, '').toLowerCase();

/** Turns `@name` into a mention if it is a prefix of exactly one participant's name. */
export function withMentions(text: string, participants: readonly Mentionable[]): string {
  const people = participants.map(({ studentId, name }) => ({ studentId, name: withoutSpaces(name) }));
  return text.replace(MENTIONED_NAME, (written: string, name: string) => {
    const prefix = name.replace(/[.'’-]+$/u, '');
    if ([...prefix].length < MIN_LETTERS) return written;
    const found = people.filter((person) => person.name.startsWith(prefix.toLowerCase()));
    const [only] = found;
    return only && found.length === 1 ? `${mention(only.studentId)}${name.slice(prefix.length)}` : written;
  });
}

/** Leaves room for a suffix that makes the name unique. */
const MAX_LENGTH = 40;

/** Transliterations of letters that do not decompose into a Latin letter and a diacritic. */
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
 * Transliterates a display name into a valid ASCII user name, not necessarily unique.
 *
 * @param id used for the name if nothing of the display name remains
 */
export function userNameFrom(displayName: string, id: string): string {
  const name = [...displayName.normalize('NFKD')]
    .map(toAscii)
    .join('')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .slice(0, MAX_LENGTH)
    .replace(/^_+|_+$/g, '');
  if (name === '') return `user_${id.replace(/\D+/g, '') || 'x'}`;
  return /^\d+$/.test(name) ? `user_${name}` : name;
}

function toAscii(character: string): string {
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

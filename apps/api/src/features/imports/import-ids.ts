import { v5 as uuidv5 } from 'uuid';
import { mention } from '@nimo/domain';

const NAMESPACE = 'c2a9f0d4-5b7e-5c31-8f6a-1e0d7b94a2f3';

/** All ids of one import, from the identity of what is imported and the name of its space: the same however often it runs. */
export class ImportIds {
  readonly importId: string;

  constructor(identity: string, spaceName: string, source = 'stackexchange') {
    this.importId = uuidv5(`${source}:${identity}:${spaceName.trim().toLowerCase()}`, NAMESPACE);
  }

  /** @param attempt how many imports of the same were given up before */
  static of(identity: string, spaceName: string, attempt: number, source?: string): ImportIds {
    return new ImportIds(attempt === 0 ? identity : `${identity}:${attempt}`, spaceName, source);
  }

  /** Of the command for something in the dump. */
  command(what: string): string {
    return uuidv5(what, this.importId);
  }

  /** Here, of what has that id in an exported space. */
  moved(id: string): string {
    return this.command(`id:${id.toLowerCase()}`);
  }

  /** Of what that command creates, as `createdId` derives it. */
  created(what: string, kind: 'space' | 'subject' | 'question' | 'answer' | 'comment'): string {
    return uuidv5(kind, this.command(what));
  }

  student(author: string): string {
    return this.command(`student:${author}`);
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

/** Counts the changes of one import, by kind. */
export type NoteChange = (what: string, count?: number) => void;

/**
 * Addresses as they read at the source, made absolute. A place within the source's page leads nowhere here.
 *
 * @param origin the source's address; without it what needs one becomes text
 */
export const absoluteAddresses =
  (origin: string | undefined, note: NoteChange) =>
  (address: string, of: 'link' | 'picture'): string | undefined => {
    const given = address.trim();
    if (URL.canParse(given)) return given;
    const absolute = given.startsWith('#') ? undefined : absoluteAt(given, origin);
    note(`relative ${of}s ${absolute === undefined ? 'turned into text' : 'made absolute'}`);
    return absolute;
  };

function absoluteAt(address: string, origin: string | undefined): string | undefined {
  const base = origin ?? (/^[/\\]{2}/.test(address) ? 'https://localhost' : undefined);
  return base !== undefined && URL.canParse(address, base) ? new URL(address, base).href : undefined;
}

/** A name as the source's people write it behind an @: without spaces, at least three letters. */
const NAMED = /@([\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’_.-]*)/gu;
const MIN_LETTERS = 3;

interface Mentionable {
  readonly studentId: string;
  readonly name: string;
}

const squeezed = (name: string): string => name.replace(/\s+/g, '').toLowerCase();

/**
 * Text of another community, where `@name` becomes a mention as far as the name fits exactly one of those who take part. Everything
 * else stays as it is written.
 */
export function withMentions(text: string, participants: readonly Mentionable[]): string {
  const people = participants.map(({ studentId, name }) => ({ studentId, name: squeezed(name) }));
  return text.replace(NAMED, (written: string, name: string) => {
    const sought = name.replace(/[.'’-]+$/u, '');
    if ([...sought].length < MIN_LETTERS) return written;
    const found = people.filter((person) => person.name.startsWith(sought.toLowerCase()));
    const [only] = found;
    return only && found.length === 1 ? `${mention(only.studentId)}${name.slice(sought.length)}` : written;
  });
}

/** Leaves room for what makes a name unique. */
const MAX_LENGTH = 40;

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
    .slice(0, MAX_LENGTH)
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

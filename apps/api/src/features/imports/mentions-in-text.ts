import { mention } from '@nimo/domain';

/** A name as the source's people write it behind an @: without spaces, at least three letters. */
const NAMED = /@([\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’_.-]*)/gu;
const MIN_LETTERS = 3;

export interface Mentionable {
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

interface NameParts {
  firstName: string;
  lastName: string;
}

/** A name as it is written in one line. */
export const fullName = (firstName: string | null | undefined, lastName: string | null | undefined): string =>
  [firstName, lastName].filter(Boolean).join(' ');

/** The last word is the last name, as long as there are two. */
export function namePartsOf(name: string): NameParts {
  const words = name.trim().split(/\s+/);
  return words.length < 2
    ? { firstName: words[0] ?? '', lastName: '' }
    : { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '' };
}

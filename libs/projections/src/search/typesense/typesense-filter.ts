/** What all ids of the product are made of; nothing of the filter language is. */
const ID = /^[\w-]+$/;

/** A value that can be no id has no documents: it must not be spelt into a filter, and there is nothing to ask for. */
export class NothingMatches extends Error {}

function quoted(id: string): string {
  if (!ID.test(id)) throw new NothingMatches('not an id');
  return `\`${id}\``;
}

export const isId = (field: string, id: string): string => `${field}:=${quoted(id)}`;

export function isOneOf(field: string, ids: Iterable<string>): string {
  const values = Array.from(ids, quoted);
  if (values.length === 0) throw new NothingMatches('one of nothing');
  return `${field}:=[${values.join(',')}]`;
}

export const isTrue = (field: string, value: boolean): string => `${field}:=${String(value)}`;

/** @param words of letters, digits and underscores, as spellings are */
export const hasAnyWord = (fields: readonly string[], words: readonly string[]): string =>
  fields.map((field) => `${field}:[${words.join(',')}]`).join(' || ');

/** Conditions that are undefined are not asked for. */
export const allOf = (...conditions: readonly (string | undefined)[]): string =>
  conditions.filter((condition) => condition !== undefined).join(' && ');

export const ifGiven = <Value>(
  value: Value | undefined,
  condition: (value: Value) => string,
): string | undefined => (value === undefined ? undefined : condition(value));

import { describe, expect, it } from '@jest/globals';
import { serverMessages } from '../generated/server-messages';
import { catalogue as de } from './de/catalogue';
import { staffCatalogue as deStaff } from './de/staff-catalogue';
import { english } from './en/catalogue';
import { staffEnglish } from './en/staff-catalogue';
import { catalogue as es } from './es/catalogue';
import { staffCatalogue as esStaff } from './es/staff-catalogue';
import { catalogue as italian } from './it/catalogue';
import { staffCatalogue as italianStaff } from './it/staff-catalogue';
import type { TargetLanguage } from './languages';
import { catalogue as ru } from './ru/catalogue';
import { staffCatalogue as ruStaff } from './ru/staff-catalogue';
import { sameInEnglish } from './same-in-english';

type Texts = Readonly<Record<string, string>>;

const source: Readonly<Record<string, object>> = { ...english, ...staffEnglish, errors: serverMessages };
const translations: Readonly<Record<TargetLanguage, Readonly<Record<string, object>>>> = {
  de: { ...de, ...deStaff },
  es: { ...es, ...esStaff },
  it: { ...italian, ...italianStaff },
  ru: { ...ru, ...ruStaff },
};
const plural = /_(?:zero|one|two|few|many|other)$/;

/** Every text by its path: `question.answers_one`. */
function flat(texts: object, path = ''): Texts {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]: [string, unknown]) =>
      typeof text === 'object' && text !== null
        ? Object.entries(flat(text, `${path}${key}.`))
        : [[`${path}${key}`, String(text)]],
    ),
  );
}

/** The keys a language needs for an English catalogue: counted texts in every plural form it tells apart. */
function keysFor(language: string, texts: Texts): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const keys = Object.keys(texts).flatMap((key) =>
    plural.test(key) ? forms.map((form) => `${key.replace(plural, '')}_${form}`) : [key],
  );
  return [...new Set(keys)].sort();
}

const englishOf = (texts: Texts, key: string): string =>
  texts[key] ?? texts[key.replace(plural, '_other')] ?? '';

const allIn = (text: string, pattern: RegExp): string[] => (text.match(pattern) ?? []).sort();
const variables = (text: string) => allIn(text, /\{\{\s*\w+/g);
const tags = (text: string) => allIn(text, /<\/?\w+\/?>/g);
const numbers = (text: string) => allIn(text, /\b\d+\b/g);

const pairs = (Object.keys(translations) as TargetLanguage[]).flatMap((language) =>
  Object.entries(translations[language]).map(([area, texts]) => ({ language, area, texts: flat(texts) })),
);

/** What differs from English in an aspect that has to be the same. */
function differing(area: string, texts: Texts, aspect: (text: string) => string[]) {
  const original = flat(source[area] ?? {});
  return Object.entries(texts).flatMap(([key, text]) => {
    const [expected, found] = [aspect(englishOf(original, key)), aspect(text)];
    return expected.join() === found.join() ? [] : [{ key, expected, found }];
  });
}

describe.each(pairs)('$area in $language', ({ language, area, texts }) => {
  const original = flat(source[area] ?? {});

  it('has every text, counted ones in all forms of the language, and no other', () =>
    expect(Object.keys(texts).sort()).toEqual(keysFor(language, original)));

  it('has no text that is empty or begins or ends with a space', () =>
    expect(Object.entries(texts).filter(([, text]) => text === '' || text !== text.trim())).toEqual([]));

  it('fills in the same variables', () => expect(differing(area, texts, variables)).toEqual([]));

  it('has the same tags', () => expect(differing(area, texts, tags)).toEqual([]));

  it('leaves nothing in English but names and words that are the same', () => {
    const untranslated = Object.entries(texts).filter(
      ([key, text]) =>
        /\p{L}{2}/u.test(text.replace(/\{\{.*?\}\}/g, '')) &&
        text === original[key] &&
        !sameInEnglish[language].has(text),
    );
    expect(untranslated).toEqual([]);
  });
});

it.each(Object.entries(translations))('has every area in %s', (_, areas) =>
  expect(Object.keys(areas).sort()).toEqual(Object.keys(source).sort()),
);

it.each(Object.entries(translations))('names the same limits in the messages of the api in %s', (_, areas) =>
  expect(differing('errors', flat(areas['errors'] ?? {}), numbers)).toEqual([]),
);

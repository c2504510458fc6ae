import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { languageCodes, type Language, type TargetLanguage } from './languages';
import { sameInEnglish } from './same-in-english';

/** Texts by path: `answers_one` or `form.title`. */
type Texts = Readonly<Record<string, string>>;

const source = join(import.meta.dirname, '..');
const plural = /_(?:zero|one|two|few|many|other)$/;

function flat(texts: object, path = ''): Texts {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]: [string, unknown]) =>
      typeof text === 'object' && text !== null
        ? Object.entries(flat(text, `${path}${key}.`))
        : [[`${path}${key}`, String(text)]],
    ),
  );
}

/** Each catalogue, with texts by namespace. */
const catalogue = (language: Language, name: string): Readonly<Record<string, Texts>> =>
  Object.fromEntries(
    Object.entries(
      JSON.parse(readFileSync(join(source, 'i18n', language, `${name}.json`), 'utf8')) as Record<
        string,
        object
      >,
    ).map(([namespace, texts]) => [namespace, flat(texts)]),
  );

const names = ['first-load', 'app', 'staff', 'errors'];
const english = Object.fromEntries(names.map((name) => [name, catalogue('en', name)]));
const englishTexts = Object.assign({}, ...Object.values(english)) as Readonly<Record<string, Texts>>;
const targets = languageCodes.filter((code): code is TargetLanguage => code !== 'en');

/** Keys that a language needs for the English texts: texts with a count in every plural form. */
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

/** Texts that differ from English where they must not. */
function differing(original: Texts, texts: Texts, aspect: (text: string) => string[]) {
  return Object.entries(texts).flatMap(([key, text]) => {
    const [expected, found] = [aspect(englishOf(original, key)), aspect(text)];
    return expected.join() === found.join() ? [] : [{ key, expected, found }];
  });
}

const pairs = targets.flatMap((language) =>
  names.flatMap((name) => {
    const translated = catalogue(language, name);
    return Object.entries(english[name] ?? {}).map(([namespace, original]) => ({
      language,
      namespace,
      original,
      texts: translated[namespace] ?? {},
    }));
  }),
);

describe.each(pairs)('$namespace in $language', ({ language, original, texts }) => {
  it('has exactly the English keys, in all plural forms of the language', () =>
    expect(Object.keys(texts).sort()).toEqual(keysFor(language, original)));

  it('has no empty or untrimmed text', () =>
    expect(Object.entries(texts).filter(([, text]) => text === '' || text !== text.trim())).toEqual([]));

  it('has the same variables', () => expect(differing(original, texts, variables)).toEqual([]));

  it('has the same tags', () => expect(differing(original, texts, tags)).toEqual([]));

  it('has no English text except names and identical words', () => {
    const untranslated = Object.entries(texts).filter(
      ([key, text]) =>
        /\p{L}{2}/u.test(text.replace(/\{\{.*?\}\}/g, '')) &&
        text === original[key] &&
        !sameInEnglish[language].has(text),
    );
    expect(untranslated).toEqual([]);
  });
});

describe.each(targets)('the catalogues in %s', (language) => {
  it.each(names)('have the English namespaces in %s.json', (name) =>
    expect(Object.keys(catalogue(language, name))).toEqual(Object.keys(english[name] ?? {})),
  );

  it("state the same limits in the API's messages", () =>
    expect(
      differing(englishTexts['errors'] ?? {}, catalogue(language, 'errors')['errors'] ?? {}, numbers),
    ).toEqual([]));
});

/** Every string literal in the app's source, and a pattern of its template literals. */
function literals() {
  const exact = new Set<string>();
  const patterns: string[] = [];
  const prefixes = new Set<string>();
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || /\.spec\.tsx?$|testing\/|english\.d\.ts$/.test(file)) continue;
    const text = readFileSync(join(source, file), 'utf8');
    for (const [, namespace = '', prefix = ''] of text.matchAll(
      /useTranslation\('(\w+)', \{ keyPrefix: '([\w.]+)' \}/g,
    ))
      prefixes.add(`${namespace}:${prefix}`);
    for (const [, found = ''] of text.matchAll(/['"]([\w:.-]+)['"]/g)) exact.add(found);
    for (const [, found = ''] of text.matchAll(/`([\w:.-]*(?:\$\{[^`}]*\}[\w:.-]*)+)`/g))
      // A template of variables alone would match every key.
      if (/\w{2}\.|\.\w{2}|\w{5}/.test(found.replace(/\$\{[^}]*\}/g, '-')))
        patterns.push(found.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '\\w+'));
  }
  return { exact, prefixes, pattern: new RegExp(`^(?:${patterns.join('|')})$`) };
}

it('has no unused text', () => {
  const { exact, prefixes, pattern } = literals();
  const unused = Object.entries(englishTexts)
    .filter(([namespace]) => namespace !== 'errors')
    .flatMap(([namespace, texts]) =>
      [...new Set(Object.keys(texts).map((key) => key.replace(plural, '')))].flatMap((key) => {
        const parts = key.split('.');
        const ends = parts.flatMap((_, index) =>
          index === 0 || prefixes.has(`${namespace}:${parts.slice(0, index).join('.')}`)
            ? [parts.slice(index).join('.')]
            : [],
        );
        // Lists are used as a whole: `steps` for `steps.0`.
        const uses = [`${namespace}:${key}`, ...ends].flatMap((end) => [end, end.replace(/\.\d+$/, '')]);
        const isUsed = uses.some((use) => exact.has(use) || pattern.test(use));
        return isUsed ? [] : [`${namespace}.${key}`];
      }),
    );
  expect(unused).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from './language.js';
import { mailText, smsText } from './texts.js';

const plural = /_(?:one|few|many|other)$/;

function flat(texts: object, path = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]: [string, unknown]) =>
      typeof text === 'object' && text !== null
        ? Object.entries(flat(text, `${path}${key}.`))
        : [[`${path}${key}`, String(text)]],
    ),
  );
}

const textsOf = (language: string) =>
  flat(JSON.parse(readFileSync(join(import.meta.dirname, `${language}.json`), 'utf8')) as object);
const english = textsOf('en');
const variables = (text = '') => (text.match(/\{\{\w+\}\}/g) ?? []).sort();

it('texts exist for every language of the web app', () => {
  const screens = readdirSync(join(import.meta.dirname, '../../../../web/src/i18n'), { withFileTypes: true });
  const folders = screens.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders.sort()).toEqual([...LANGUAGES].sort());
});

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const texts = textsOf(language);

  it('have every text in exactly the plural forms of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const expected = Object.keys(english).flatMap((key) =>
      plural.test(key) ? forms.map((form) => `${key.replace(plural, '')}_${form}`) : [key],
    );
    expect(Object.keys(texts).sort()).toEqual([...new Set(expected)].sort());
  });

  it('have the variables of the English texts', () => {
    const expected = Object.keys(texts).map((key) => [
      key,
      variables(english[key] ?? english[key.replace(plural, '_other')]),
    ]);
    expect(Object.entries(texts).map(([key, text]) => [key, variables(text)])).toEqual(expected);
  });
});

describe('a text', () => {
  it('is filled in for the requested language, with the plural form of durations', () => {
    const duration = { unit: 'minutes', count: 10 } as const;
    expect(smsText('en', 'code', { code: '123456', duration })).toBe(
      '123456 is your Nimo code. It is valid for 10 minutes.',
    );
    expect(smsText('de', 'code', { code: '123456', duration })).toBe(
      '123456 ist dein Nimo-Code. Er gilt 10 Minuten.',
    );
    const hour = { unit: 'hours', count: 1 } as const;
    expect(smsText('ru', 'code', { code: '1', duration: hour })).toContain('1 час.');
    expect(smsText('ru', 'code', { code: '1', duration: { unit: 'hours', count: 2 } })).toContain('2 часа.');
  });

  it('separates the paragraphs of a mail with blank lines', () => {
    expect(mailText('en', 'entryJoined', { userName: 'asha', spaceName: 'Physics' })).toEqual({
      subject: 'Joining Physics on Nimo',
      text: 'Hello asha,\n\nThe moderators accepted your request. You are now a member.',
    });
  });

  it('inserts values verbatim, even if they look like a template', () => {
    const spaceName = '<b>{{userName}}</b> $t(mail.newAddress.subject)';
    expect(mailText('en', 'entryJoined', { userName: 'asha', spaceName }).subject).toBe(
      `Joining ${spaceName} on Nimo`,
    );
  });
});

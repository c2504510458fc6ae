import { expect, it } from '@jest/globals';
import { preferredLanguage } from './language.js';

it.each([
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr-FR, fr;q=0.9, it;q=0.5, en;q=0.4', 'it'],
  ['*', 'en'],
])('finds the preferred supported language in %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});

it.each([[undefined], [''], ['fr, pt-BR'], ['de;q=0'], [';;,=,\u0000'], ['x'.repeat(10_000)]])(
  'finds none in %p',
  (header) => {
    expect(preferredLanguage(header)).toBeUndefined();
  },
);

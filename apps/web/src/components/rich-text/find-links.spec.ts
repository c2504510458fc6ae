import { describe, expect, it } from '@jest/globals';
import { findLinks } from './find-links';

const found = (text: string): string[] => findLinks(text).map(({ start, end }) => text.slice(start, end));

describe('findLinks', () => {
  it.each([
    ['see https://example.org.', 'https://example.org'],
    ['(https://en.wikipedia.org/wiki/Prime_number).', 'https://en.wikipedia.org/wiki/Prime_number'],
    [
      'https://en.wikipedia.org/wiki/Function_(mathematics)',
      'https://en.wikipedia.org/wiki/Function_(mathematics)',
    ],
    ['„https://example.org/a?b=c&d#e“', 'https://example.org/a?b=c&d#e'],
    ['https://пример.рф/путь, и', 'https://пример.рф/путь'],
    ['见https://example.org/a。然后', 'https://example.org/a'],
    ['（见https://example.org/a）。', 'https://example.org/a'],
    ['देखो https://example.org/a। फिर', 'https://example.org/a'],
    ['انظر https://example.org/a، هل رأيت https؟', 'https://example.org/a'],
    ['دیکھو https://example.org/a۔', 'https://example.org/a'],
    ['www.example.org/a!', 'www.example.org/a'],
    ['http://localhost:3000/a', 'http://localhost:3000/a'],
  ])('finds the URL in %j', (text, address) => {
    expect(found(text)).toEqual([address]);
  });

  it.each([
    'System.in',
    'arr.at(-1)',
    'Node.js',
    'example.org',
    'https://',
    'www.',
    'www.a',
    'xhttps://a.b',
    'javascript:alert(1)',
  ])('finds no URL in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('adds the scheme to www', () => {
    expect(findLinks('www.example.org')[0]?.href).toBe('https://www.example.org');
  });

  it('reads a URL of 60,000 brackets', () => {
    expect(found(`https://a.b/${')'.repeat(60_000)}`)).toEqual(['https://a.b/']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { ATTACKS, isInert, shortLabel } from './testing/attacks.js';
import { plainTextOf } from './plain-text.js';
import { sanitiseRichText } from './sanitise.js';

const bodies = ATTACKS.map(({ kind, text }) => [kind, shortLabel(text), text] as const);

it('the set has at least a hundred distinct attacks', () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(100);
  expect(new Set(ATTACKS.map(({ text }) => text)).size).toBe(ATTACKS.length);
});

describe('sanitiseRichText', () => {
  it.each(bodies)('makes %s %s inert, and is idempotent', (_kind, _name, text) => {
    const html = sanitiseRichText(text);
    expect(isInert(html)).toBe(true);
    expect(sanitiseRichText(html)).toBe(html);
  });

  it.each(bodies)('makes %s %s inert inside of markup', (_kind, _name, text) => {
    for (const body of [
      `<p>${text}</p>`,
      `<ul><li>${text}`,
      `<code class="nimo-math">${text}`,
      `<p title="${text}`,
    ])
      expect(isInert(sanitiseRichText(body))).toBe(true);
  });
});

describe('isInert', () => {
  it.each([
    '<p onclick="x">a</p>',
    '<script>',
    '<a href="javascript:x">a</a>',
    '<a href="//evil.example">a</a>',
    '<span class="evil">a</span>',
    '<p style="x">a</p>',
    'a < b',
    '<img src="x">',
  ])('rejects %s', (html) => expect(isInert(html)).toBe(false));
});

// The benchmark `inputs` measures their duration.
describe('an oversized body', () => {
  it.each([
    ['a megabyte of one word', 'x'.repeat(1_000_000)],
    ['ten thousand elements deep', '<blockquote>'.repeat(10_000)],
    ['a hundred thousand elements deep', '<b>'.repeat(100_000)],
    ['a megabyte of open angles', '<'.repeat(1_000_000)],
    ['a megabyte of ampersands', '&'.repeat(1_000_000)],
    ['a megabyte of half a comment', '<!-'.repeat(330_000)],
    ['a tag of fifty thousand attributes', `<p ${'a=1 '.repeat(50_000)}>`],
    ['a hundred thousand unclosed links', '<a href=x>'.repeat(100_000)],
  ])('of %s is inert', (_name, text) => {
    const html = sanitiseRichText(text);
    expect(isInert(html)).toBe(true);
    expect(plainTextOf(text).length).toBeLessThanOrEqual(text.length);
  });
});

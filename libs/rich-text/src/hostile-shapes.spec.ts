import { describe, expect, it } from '@jest/globals';
import { isInert } from './testing/attacks.js';
import { HOSTILE_HTML } from './testing/hostile-html.js';
import { plainTextOf } from './plain-text.js';
import { isCleanHtml, repairTruncatedHtml } from './clean-html.js';
import { cleanHtml, sanitiseRichText } from './sanitise.js';

/** About the maximum length of a body. The benchmark `inputs` measures how time grows up to it. */
const LENGTH = 64_000;

describe.each(HOSTILE_HTML)('a body of %s', (_shape, make) => {
  const body = make(LENGTH);
  const html = sanitiseRichText(body);

  it('is sanitised to clean HTML', () => {
    expect(isCleanHtml(html)).toBe(true);
    expect(isInert(html)).toBe(true);
  });

  it('is stored as clean HTML, idempotently', () => {
    const stored = cleanHtml(body);
    expect(isCleanHtml(stored)).toBe(true);
    expect(cleanHtml(stored)).toBe(stored);
  });

  it('has plain text on one line', () => {
    expect(plainTextOf(html)).not.toMatch(/[\n\t]| {2}/);
  });

  it('is clean HTML after truncation and repair', () => {
    expect(isCleanHtml(repairTruncatedHtml(html.slice(0, html.length / 2)))).toBe(true);
  });
});

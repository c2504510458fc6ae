import { describe, expect, it } from '@jest/globals';
import { JSON_LIMITS, problemOfJson } from './json-shape.js';

const ruleOf = (text: string): string | undefined => problemOfJson(Buffer.from(text))?.details.rule;
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('the shape of a JSON body', () => {
  it('is nested so far and no further', () => {
    expect(ruleOf(nested(JSON_LIMITS.depth))).toBeUndefined();
    expect(ruleOf(nested(JSON_LIMITS.depth + 1))).toBe('BODY_TOO_DEEP');
    expect(ruleOf('{"a":'.repeat(100))).toBe('BODY_TOO_DEEP');
  });

  it('counts levels that ended as over', () => {
    expect(ruleOf(`[${Array.from({ length: 200 }, () => nested(3)).join()}]`)).toBeUndefined();
  });

  it.each([
    ['entries', `[${'1,'.repeat(JSON_LIMITS.signs)}1]`],
    ['empty objects', `[${'{},'.repeat(JSON_LIMITS.signs / 2)}{}]`],
    ['fields', `{${'"a":1,'.repeat(JSON_LIMITS.signs / 2)}"a":1}`],
  ])('has no more %s than any input', (_, text) => {
    expect(problemOfJson(Buffer.from(text))).toMatchObject({
      message: 'The body has too many values: at most 20000 brackets, commas and colons.',
      code: 'VALIDATION_FAILED',
      details: { field: 'body', rule: 'BODY_TOO_MANY_VALUES' },
    });
  });

  it.each([
    ['in a text', JSON.stringify({ body: nested(50_000) + ','.repeat(50_000) })],
    ['behind a quote in a text', JSON.stringify({ body: `"${nested(50_000)}` })],
    ['behind backslashes in a text', JSON.stringify({ body: `\\"\\${nested(50_000)}` })],
    ['in a name', JSON.stringify({ [nested(50_000)]: 1 })],
  ])('does not count what stands %s', (_, text) => {
    expect(ruleOf(text)).toBeUndefined();
  });

  it('counts on behind a text that ends in a backslash', () => {
    expect(ruleOf(`["a\\\\",${nested(100)}]`)).toBe('BODY_TOO_DEEP');
  });

  it.each(['', '"', '"\\', ']]]', 'nonsense'])('leaves %j to the parser', (text) => {
    expect(ruleOf(text)).toBeUndefined();
  });
});

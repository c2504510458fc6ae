import { describe, expect, it } from '@jest/globals';
import { problemOfDocument } from './document-shape.js';
import { QUERY_LIMITS } from './query-limits.rule.js';

const nested = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels);

describe('the shape of a document', () => {
  it.each([
    ['short', '{ getSpaces { _id } }', undefined],
    ['of as many tokens as it may have', `{ ${'a '.repeat(QUERY_LIMITS.tokens - 2)} }`, undefined],
    ['of more tokens', `{ ${'a '.repeat(QUERY_LIMITS.tokens)} }`, 'QUERY_TOO_LONG'],
    ['of more tokens and without an end', `{ ${'a '.repeat(100_000)}`, 'QUERY_TOO_LONG'],
    ['of many lines', `${'\n'.repeat(QUERY_LIMITS.lines + 1)}{ a }`, 'QUERY_TOO_LONG'],
    ['of many lines of another kind', `${'\r'.repeat(QUERY_LIMITS.lines + 1)}{ a }`, 'QUERY_TOO_LONG'],
    ['of comments', `${'#\n'.repeat(QUERY_LIMITS.lines + 1)}{ a }`, 'QUERY_TOO_LONG'],
    ['deep', nested('{a', '}', QUERY_LIMITS.nesting + 1), 'QUERY_TOO_DEEP'],
    ['deep in fragments', nested('{...', '}', QUERY_LIMITS.nesting + 1), 'QUERY_TOO_DEEP'],
    ['deep in lists', `{ a(b: ${nested('[', ']', QUERY_LIMITS.nesting + 1)}) }`, 'QUERY_TOO_DEEP'],
    ['with brackets beside each other', `{ ${'a(b: []) { c } '.repeat(60)} }`, undefined],
    ['with brackets in a text', `{ a(b: "${nested('{', '}', 1_000)}") }`, undefined],
    ['with a long text', `{ a(b: "${'x'.repeat(200_000)}") }`, undefined],
    ['that is none', '{ a ~ }', undefined],
  ])('%s', (_, source, rule) => {
    expect(problemOfDocument(source)?.extensions['rule']).toBe(rule);
  });

  it('is refused by what names the limit', () => {
    expect(problemOfDocument('a '.repeat(5_000))?.message).toBe(
      'The query is too long: at most 1000 tokens. Send texts and lists as variables.',
    );
    expect(problemOfDocument(nested('{a', '}', 50))?.message).toBe(
      'The query is too deep: at most 32 brackets in each other.',
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { types } from 'pg';
import { fc } from '@nimo/testing';
import type { Column, ColumnValue } from '../projection.js';
import {
  columnLiteral,
  isStorableAs,
  parseTimestamp,
  READ_TYPES,
  storableText,
  storableValue,
} from './column-values.js';

describe('column values', () => {
  it('parses timestamps with any offset and precision', () => {
    expect(parseTimestamp('2026-01-02 03:04:05+00')).toBe('2026-01-02T03:04:05.000Z');
    expect(parseTimestamp('2026-01-02 03:04:05.1+00')).toBe('2026-01-02T03:04:05.100Z');
    expect(parseTimestamp('2026-01-02 03:04:05.123999+00')).toBe('2026-01-02T03:04:05.123Z');
    expect(parseTimestamp('2026-01-02 03:04:05.5+05:30')).toBe('2026-01-01T21:34:05.500Z');
    expect(parseTimestamp('2026-01-02 03:04:05-08')).toBe('2026-01-02T11:04:05.000Z');
  });

  it('rejects a bigint outside the safe integer range', () => {
    const parse = READ_TYPES.getTypeParser(types.builtins.INT8, 'text') as (text: string) => unknown;
    expect(parse('9007199254740991')).toBe(9007199254740991);
    expect(() => parse('9007199254740992')).toThrow(RangeError);
  });

  it('replaces NUL and lone surrogates, which PostgreSQL cannot store', () => {
    expect(storableText('a\0b')).toBe('a\uFFFDb');
    expect(storableText('🙂'.slice(0, 1))).toBe('\uFFFD');
    expect(storableText('🙂')).toBe('🙂');
  });

  it('replaces them in JSON values and keys too, and drops values that JSON cannot represent', () => {
    const value = { 'k\0': ['\uD800'], gone: undefined, none: null, minus: -0, deep: [{ x: Number.NaN }] };
    expect(storableValue({ type: 'jsonb' }, 'c', value)).toEqual({
      'k\uFFFD': ['\uFFFD'],
      none: null,
      minus: 0,
      deep: [{ x: null }],
    });
  });

  it.each([
    ['text', 1],
    ['integer', 1.5],
    ['bigint', 2 ** 53],
    ['boolean', 'true'],
    ['text[]', 'a'],
    ['timestamptz', 'soon'],
  ] as const)('rejects a %s that is %s', (type, value) => {
    expect(() => storableValue({ type }, 'c', value)).toThrow();
  });

  it('rejects null in a non-nullable column, and stores undefined as null in a nullable one', () => {
    expect(() => storableValue({ type: 'text' }, 'c', null)).toThrow(TypeError);
    expect(storableValue({ type: 'text', nullable: true }, 'c', undefined)).toBeNull();
  });

  it('recognizes exactly the values that it would leave unchanged', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\0', '\uD800', '🙂', ''));
    const number = fc.oneof(
      fc.integer(),
      fc.maxSafeInteger(),
      fc.double(),
      fc.constantFrom(-0, Number.NaN, 2 ** 53),
    );
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        number,
        fc.boolean(),
        fc.constantFrom(null, undefined),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    })).value;
    const time = fc.constantFrom('2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05Z', '2026-01-02', 'soon');
    const value = fc.oneof(text, number, time, json, fc.array(fc.oneof(text, fc.constant(null))));
    const type = fc.constantFrom('text', 'bigint', 'integer', 'boolean', 'timestamptz', 'jsonb', 'text[]');
    fc.assert(
      fc.property(fc.record({ type, nullable: fc.boolean() }), value, (column, item) => {
        expect(isStorableAs(column as Column, item as ColumnValue)).toBe(
          isUnchanged(column, item as ColumnValue),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('escapes special characters in an array literal', () => {
    expect(columnLiteral('text', ['a', null, 'NULL', '"', '\\', ',{}'])).toBe(
      '{"a",NULL,"NULL","\\"","\\\\",",{}"}',
    );
  });
});

function isUnchanged(column: Column, value: ColumnValue | undefined): boolean {
  try {
    // Strict, to distinguish undefined properties and -0.
    expect(storableValue(column, 'c', value)).toStrictEqual(value);
    return value !== undefined;
  } catch {
    return false;
  }
}

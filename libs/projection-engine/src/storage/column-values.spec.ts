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

describe('values as they will be when they are loaded again', () => {
  it('reads every offset and every precision of a timestamp', () => {
    expect(parseTimestamp('2026-01-02 03:04:05+00')).toBe('2026-01-02T03:04:05.000Z');
    expect(parseTimestamp('2026-01-02 03:04:05.1+00')).toBe('2026-01-02T03:04:05.100Z');
    expect(parseTimestamp('2026-01-02 03:04:05.123999+00')).toBe('2026-01-02T03:04:05.123Z');
    expect(parseTimestamp('2026-01-02 03:04:05.5+05:30')).toBe('2026-01-01T21:34:05.500Z');
    expect(parseTimestamp('2026-01-02 03:04:05-08')).toBe('2026-01-02T11:04:05.000Z');
  });

  it('refuses a bigint that a number cannot tell from its neighbours', () => {
    const parse = READ_TYPES.getTypeParser(types.builtins.INT8, 'text') as (text: string) => unknown;
    expect(parse('9007199254740991')).toBe(9007199254740991);
    expect(() => parse('9007199254740992')).toThrow(RangeError);
  });

  it('replaces what PostgreSQL cannot store: NUL and half a surrogate pair', () => {
    expect(storableText('a\0b')).toBe('a\uFFFDb');
    expect(storableText('🙂'.slice(0, 1))).toBe('\uFFFD');
    expect(storableText('🙂')).toBe('🙂');
  });

  it('replaces it inside of JSON too, keys included, and drops what JSON does not know', () => {
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
  ] as const)('refuses a %s that is %s', (type, value) => {
    expect(() => storableValue({ type }, 'c', value)).toThrow();
  });

  it('refuses null where the column does not allow it, and takes undefined for null where it does', () => {
    expect(() => storableValue({ type: 'text' }, 'c', null)).toThrow(TypeError);
    expect(storableValue({ type: 'text', nullable: true }, 'c', undefined)).toBeNull();
  });

  it('knows what it would leave alone, and nothing else', () => {
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
      fc.property(fc.record({ type, nullable: fc.boolean() }), value, (column, given) => {
        expect(isStorableAs(column as Column, given as ColumnValue)).toBe(
          isLeftAlone(column, given as ColumnValue),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('escapes what means something in an array literal', () => {
    expect(columnLiteral('text', ['a', null, 'NULL', '"', '\\', ',{}'])).toBe(
      '{"a",NULL,"NULL","\\"","\\\\",",{}"}',
    );
  });
});

function isLeftAlone(column: Column, value: ColumnValue | undefined): boolean {
  try {
    // With the names of what is undefined, and -0 as such.
    expect(storableValue(column, 'c', value)).toStrictEqual(value);
    return value !== undefined;
  } catch {
    return false;
  }
}

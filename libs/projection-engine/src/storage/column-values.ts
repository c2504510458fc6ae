import type { CustomTypesConfig } from 'pg';
import { types } from 'pg';
import type { Column, ColumnType, ColumnValue } from '../projection.js';

const INT8 = types.builtins.INT8;
const TIMESTAMPTZ = types.builtins.TIMESTAMPTZ;

/**
 * Type parsers that return rows as folds see them: bigint as number, timestamptz as ISO string with milliseconds. Set per query, because
 * `pg.types` is shared by every library in the process.
 */
export const READ_TYPES: CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (format !== 'binary' && oid === INT8) return parseBigint;
    if (format !== 'binary' && oid === TIMESTAMPTZ) return parseTimestamp;
    return types.getTypeParser(oid, format) as (value: string | Buffer) => unknown;
  },
};

function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number`);
  return value;
}

const UTC_TIMESTAMP = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

export function parseTimestamp(text: string): string {
  const match = UTC_TIMESTAMP.exec(text);
  if (match) return `${match[1]}T${match[2]}.${(match[3] ?? '').slice(0, 3).padEnd(3, '0')}Z`;
  const isoOffset = text
    .replace(' ', 'T')
    .replace(/([+-]\d\d)(\d\d)?$/, (_, hours, minutes) => `${hours}:${minutes ?? '00'}`);
  return new Date(isoOffset).toISOString();
}

const ISO_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ALL_UNSTORABLE = /[\0\p{Surrogate}]/gu;

/** Replaces characters that PostgreSQL cannot store: NUL and lone surrogates, as left by cutting through an emoji. */
export function storableText(text: string): string {
  return isStorableText(text) ? text : text.replace(ALL_UNSTORABLE, '\uFFFD');
}

const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/**
 * The value as it will be when loaded again, so that a fold sees the same value whether or not a batch ended in between.
 * @throws TypeError for a value that the column cannot hold
 */
export function storableValue(column: Column, name: string, value: ColumnValue | undefined): ColumnValue {
  if (value === null || value === undefined) {
    if (column.nullable !== true) throw new TypeError(`column ${name} is not nullable`);
    return null;
  }
  return STORABLE[column.type](value, name);
}

/** Whether `storableValue` would leave the value unchanged. */
export function isStorableAs(column: Column, value: ColumnValue | undefined): boolean {
  if (value === null) return column.nullable === true;
  return value !== undefined && IS_STORABLE[column.type](value);
}

const isText = (value: unknown): boolean => typeof value === 'string' && isStorableText(value);
const isSafeInteger = (value: unknown): boolean => Number.isSafeInteger(value) && !Object.is(value, -0);

const IS_STORABLE: Record<ColumnType, (value: NonNullable<ColumnValue>) => boolean> = {
  text: isText,
  bigint: isSafeInteger,
  integer: isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  timestamptz: (value) => typeof value === 'string' && ISO_MILLISECONDS.test(value),
  jsonb: isStorableJson,
  'text[]': (value) => Array.isArray(value) && value.every((item) => item === null || isText(item)),
};

function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (Array.isArray(value)) return value.every((item) => item !== undefined && isStorableJson(item));
  if (typeof value !== 'object' || value === null) return value === null || typeof value === 'boolean';
  for (const [name, item] of Object.entries(value))
    if (!isStorableText(name) || !isStorableJson(item)) return false;
  return true;
}

const STORABLE: Record<ColumnType, (value: NonNullable<ColumnValue>, name: string) => ColumnValue> = {
  text: (value, name) => storableText(expectString(value, name)),
  bigint: expectInteger,
  integer: expectInteger,
  boolean(value, name) {
    if (typeof value !== 'boolean') throw new TypeError(`column ${name} takes booleans`);
    return value;
  },
  timestamptz(value, name) {
    const text = expectString(value, name);
    return ISO_MILLISECONDS.test(text) ? text : new Date(text).toISOString();
  },
  jsonb: (value) => storableJson(value) as ColumnValue,
  'text[]'(value, name) {
    if (!Array.isArray(value)) throw new TypeError(`column ${name} takes arrays`);
    return value.map((item: unknown) => (item === null ? null : storableText(expectString(item, name))));
  },
};

function expectString(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new TypeError(`column ${name} takes strings`);
  return value;
}

function expectInteger(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value)) throw new TypeError(`column ${name} takes safe integers`);
  return (value as number) + 0;
}

function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (Array.isArray(value)) return value.map((item) => storableJson(item ?? null));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [storableText(key), storableJson(item)]));
}

/** A PostgreSQL array literal of the values of one column. text[] and jsonb are sent as text and cast in the statement. */
export function columnLiteral(type: ColumnType, values: readonly (ColumnValue | undefined)[]): string {
  const write = LITERAL[type];
  let literal = '{';
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (index > 0) literal += ',';
    literal += value === null || value === undefined ? 'NULL' : write(value);
  }
  return literal + '}';
}

const plain = String;
const LITERAL: Record<ColumnType, (value: NonNullable<ColumnValue>) => string> = {
  text: (value) => quoted(value as string),
  bigint: plain,
  integer: plain,
  boolean: plain,
  timestamptz: (value) => `"${value as string}"`,
  jsonb: (value) => quoted(JSON.stringify(value)),
  'text[]': (value) => quoted(columnLiteral('text', value as readonly string[])),
};

const NEEDS_ESCAPE = /["\\]/;
const ALL_ESCAPED = /["\\]/g;

function quoted(text: string): string {
  return NEEDS_ESCAPE.test(text) ? `"${text.replace(ALL_ESCAPED, '\\$&')}"` : `"${text}"`;
}

/** The array type of a column's parameter, and the cast from an item to the column type. */
export function parameterType(type: ColumnType): { readonly array: string; readonly cast: string } {
  if (type === 'jsonb' || type === 'text[]') return { array: 'text[]', cast: `::${type}` };
  return { array: `${type}[]`, cast: '' };
}

import { DomainError, isCalendarDay } from '@nimo/domain';
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

const invalid = (name: string): GraphQLError => new GraphQLError(`Not a ${name}.`);

const toPhone = (value: unknown): string => {
  const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (digits === '') throw new DomainError('PHONE_REQUIRED');
  if (typeof digits !== 'string' || !/^\d{1,15}$/.test(digits)) throw new DomainError('PHONE_INVALID');
  return digits;
};

/** Phone numbers. Twelve digits do not fit a GraphQL Int, so integer literals are read from the document text. */
export const PhoneScalar = new GraphQLScalarType<string, string>({
  name: 'Phone',
  description:
    'A phone number with country code, digits only. Accepts an integer literal or a string (12 digits do not fit Int); serialised as a string.',
  serialize: toPhone,
  parseValue: toPhone,
  parseLiteral(node: ValueNode) {
    if (node.kind === Kind.INT || node.kind === Kind.STRING) return toPhone(node.value);
    throw new DomainError('PHONE_INVALID');
  },
});

/** PostgreSQL does not read the year 0, nor years ISO 8601 writes with a sign. */
const IN_FOUR_DIGITS = /^(?!0000)\d{4}-/;

const DAY = /^\d{4}-\d\d-\d\d/;

/** Parses a timestamp into ISO 8601 UTC; undefined when it is invalid or cannot be stored. */
export function toIsoTimestamp(text: string): string | undefined {
  const day = DAY.exec(text)?.[0];
  if (day !== undefined && !isCalendarDay(day)) return undefined;
  const time = new Date(text);
  const iso = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  return IN_FOUR_DIGITS.test(iso) ? iso : undefined;
}

const fromWire = (value: unknown): string => {
  const moment = typeof value === 'string' ? toIsoTimestamp(value) : undefined;
  if (moment === undefined) throw invalid('DateTime');
  return moment;
};

/** Times are ISO strings internally too, so serialising is free. */
export const DateTimeScalar = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'ISO 8601 in UTC with milliseconds.',
  serialize(value) {
    if (typeof value === 'string') return value;
    if (value instanceof Date) return value.toISOString();
    throw invalid('DateTime');
  },
  parseValue: fromWire,
  parseLiteral(node: ValueNode) {
    if (node.kind === Kind.STRING) return fromWire(node.value);
    throw invalid('DateTime');
  },
});

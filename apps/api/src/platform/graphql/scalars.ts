import { DomainError, isCalendarDay } from '@nimo/domain';
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

const invalid = (name: string): GraphQLError => new GraphQLError(`Not a ${name}.`);

const toPhone = (value: unknown): string => {
  const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (digits === '') throw new DomainError('PHONE_REQUIRED');
  if (typeof digits !== 'string' || !/^\d{1,15}$/.test(digits)) throw new DomainError('PHONE_INVALID');
  return digits;
};

/** Digits with the country's prefix. Twelve digits do not fit a GraphQL Int, so integers are taken as they stand in the document. */
export const PhoneScalar = new GraphQLScalarType<string, string>({
  name: 'Phone',
  description:
    'A phone number with its prefix, digits only; taken as an integer or a string (12 digits do not fit Int), sent as a string.',
  serialize: toPhone,
  parseValue: toPhone,
  parseLiteral(node: ValueNode) {
    if (node.kind === Kind.INT || node.kind === Kind.STRING) return toPhone(node.value);
    throw new DomainError('PHONE_INVALID');
  },
});

/** Years that ISO 8601 writes with a sign, and the year 0, are not read by PostgreSQL. */
const IN_FOUR_DIGITS = /^(?!0000)\d{4}-/;

const DAY = /^\d{4}-\d\d-\d\d/;

/** The moment that a text names, as times are told inside; undefined where it names none that can be stored. */
export function isoMoment(text: string): string | undefined {
  const day = DAY.exec(text)?.[0];
  if (day !== undefined && !isCalendarDay(day)) return undefined;
  const time = new Date(text);
  const iso = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  return IN_FOUR_DIGITS.test(iso) ? iso : undefined;
}

const fromWire = (value: unknown): string => {
  const moment = typeof value === 'string' ? isoMoment(value) : undefined;
  if (moment === undefined) throw invalid('DateTime');
  return moment;
};

/** Times are ISO strings inside as well, so that serialising costs nothing. */
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

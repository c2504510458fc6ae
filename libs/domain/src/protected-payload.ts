import { entryOf } from './events.js';

/** One value of an event's data, as maintainers may see it. */
export interface PayloadField {
  /** Dotted path. */
  readonly name: string;
  /** For a protected value its kind and size, such as "text, 12 characters". */
  readonly value: string;
  readonly isProtected: boolean;
}

/**
 * Fields that hold the ID of a person, or several. They would reveal who voted or reported. The ID of a vote pattern is a hash of such
 * IDs, which can be guessed.
 */
const PERSON_FIELD = /(?:student|author|voter|reporter|moderator|editor|pattern)Ids?$/i;
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Streams whose names end in the ID of a person or of a vote pattern. */
const PERSON_STREAM = new RegExp(
  `^(?:student|vote|bookmark|membership|reaction|note|pattern|removal-${UUID})-`,
);
/** Everything before the last ID; of a name in another form only the prefix. */
const BEFORE_PERSON = new RegExp(`^[a-z]+-(?:${UUID}-)?`);
const MAX_VALUE_LENGTH = 500;
const MAX_FIELDS = 200;

/** Whether the name of a stream contains the ID of a person. Then nobody may look the stream up by its name: that alone would tell who voted. */
export const streamNamesPerson = (streamId: string): boolean => PERSON_STREAM.test(streamId);

/** The name of a stream with an ellipsis instead of the ID of a person. */
export const protectedStream = (streamId: string): string =>
  streamNamesPerson(streamId) ? `${BEFORE_PERSON.exec(streamId)?.[0] ?? ''}…` : streamId;

/**
 * The data of an event without personal data: instead of sealed values and people it shows their kind and size. Of an unknown event type
 * every value is protected.
 */
export function protectedPayload(
  type: string,
  data: Readonly<Record<string, unknown>>,
): readonly PayloadField[] {
  const entry = entryOf(type);
  const sealed = new Set(entry?.sealed?.flatMap(({ gone }) => Object.keys(gone)));
  const fields = Object.entries(data).flatMap(([key, value]) =>
    fieldsOf(key, value, entry === undefined || sealed.has(key)),
  );
  return fields.slice(0, MAX_FIELDS);
}

function fieldsOf(name: string, value: unknown, isSealed: boolean): readonly PayloadField[] {
  const isProtected = isSealed || PERSON_FIELD.test(name);
  if (isProtected) return [{ name, value: sizeOf(value), isProtected }];
  if (Array.isArray(value)) {
    const items = value.flatMap((item: unknown, index) => fieldsOf(`${name}.${index}`, item, false));
    return items.length === 0 ? [{ name, value: sizeOf(value), isProtected }] : items;
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => fieldsOf(`${name}.${key}`, inner, false));
  return [{ name, value: textOf(value), isProtected }];
}

function sizeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return `text, ${value.length} characters`;
  if (Array.isArray(value)) return `list, ${value.length} items`;
  return typeof value;
}

function textOf(value: unknown): string {
  const text = String(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

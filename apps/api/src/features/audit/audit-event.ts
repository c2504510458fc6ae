import { isDeepStrictEqual } from 'node:util';
import { cutText, entryOf, type EventMetadata } from '@nimo/domain';
import type { EventStore, Json, JsonObject, RecordedEvent } from '@nimo/event-store';
import { type AuditEntryView, type AuditPerson, findAuditPersons, type Queryable } from '@nimo/projections';
import type { AuditEvent, AuditField } from './audit.type.js';

/** Fields of events that hold the id of a person. */
const PERSON_FIELDS: ReadonlySet<string> = new Set([
  'studentId',
  'authorId',
  'editorId',
  'postAuthorId',
  'voterId',
  'reporterId',
  'moderatorId',
  'toModeratorId',
]);
/** Told line by line, and each only to whom it may be told. */
const LISTS_OF_LINES: ReadonlySet<string> = new Set(['votes']);
const MAX_VALUE_LENGTH = 10_000;

/** The event behind a line, out of the log itself; null where the log has none such. */
export async function readAuditEvent(
  { store, db }: { readonly store: EventStore; readonly db: Queryable },
  entry: AuditEntryView,
): Promise<AuditEvent | null> {
  const events = await store.readStream(entry.streamId);
  const event = events.find(({ id }) => id === entry.eventId);
  if (!event) return null;
  const values = [...valuesIn(event.data)];
  const persons = await findAuditPersons(
    db,
    values.flatMap(({ name, value }) => (PERSON_FIELDS.has(name) && value !== null ? [value] : [])),
  );
  // Written by the command handler, the same shape on every event.
  const metadata = event.metadata as unknown as EventMetadata;
  return {
    entry,
    streamId: event.streamId,
    revision: event.revision,
    schemaVersion: metadata.schemaVersion,
    correlationId: metadata.correlationId,
    causationId: metadata.causationId,
    data: values.map((field) => fieldOf(field, event, persons)),
  };
}

interface Value {
  readonly name: string;
  readonly value: string | null;
}

function* valuesIn(data: JsonObject, path = ''): Generator<Value> {
  for (const [key, value] of Object.entries(data)) {
    const name = `${path}${key}`;
    if (Array.isArray(value)) yield { name, value: shownList(key, value) };
    else if (typeof value === 'object' && value !== null) yield* valuesIn(value as JsonObject, `${name}.`);
    else yield { name, value: value === null ? null : cutText(String(value), MAX_VALUE_LENGTH) };
  }
}

const shownList = (key: string, list: readonly Json[]): string =>
  LISTS_OF_LINES.has(key) ? String(list.length) : cutText(JSON.stringify(list), MAX_VALUE_LENGTH);

function fieldOf(
  { name, value }: Value,
  { type, data }: RecordedEvent,
  persons: ReadonlyMap<string, AuditPerson>,
): AuditField {
  const sealed = entryOf(type)?.sealed?.find(({ gone }) => Object.hasOwn(gone, name));
  const ownerId = sealed && data[sealed.of];
  const owner = typeof ownerId === 'string' ? persons.get(ownerId) : undefined;
  return {
    name,
    value,
    isErased: isDeepStrictEqual(data[name], sealed?.gone[name]) && owner?.isErased === true,
    person: PERSON_FIELDS.has(name) && value !== null ? (persons.get(value) ?? null) : null,
  };
}

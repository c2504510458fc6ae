import { currentSchemaVersion, PERSONAL_FIELDS, upcast, type EventType } from '@nimo/domain';
import type { EventCodec, Json, JsonObject, NewEvent, RecordedEvent } from '@nimo/event-store';
import { isSealedText, openText, sealText } from './sealed-value.js';
import type { StudentKeys } from './student-keys.js';

const FIELDS: Readonly<Record<string, readonly string[]>> = PERSONAL_FIELDS;

const personalFieldsOf = (type: string): readonly string[] | undefined => FIELDS[type];

/** Every personal event is in a student's own stream and says whose it is. */
const studentOf = ({ data }: NewEvent): string => data['studentId'] as string;

/** Seals what identifies a person on the way into the log, opens it on the way out, and lifts old shapes. */
export class PersonalDataCodec implements EventCodec {
  constructor(private readonly keys: StudentKeys) {}

  async encode(events: readonly NewEvent[]): Promise<NewEvent[]> {
    const personal = events.filter(({ type }) => personalFieldsOf(type));
    const keys =
      personal.length > 0 ? await this.keys.findOrMake(personal.map(studentOf)) : new Map<string, Buffer>();
    return events.map((event) => ({
      ...event,
      data: sealedData(event, keys),
      metadata: { ...event.metadata, schemaVersion: currentSchemaVersion(event.type as EventType) },
    }));
  }

  async decode(events: readonly RecordedEvent[]): Promise<RecordedEvent[]> {
    const personal = events.filter(({ type }) => personalFieldsOf(type));
    const keys =
      personal.length > 0 ? await this.keys.find(personal.map(studentOf)) : new Map<string, Buffer>();
    return events.map((event) => {
      const opened = openedData(event, keys);
      const data = upcast(event.type, Number(event.metadata['schemaVersion'] ?? 1), opened) as JsonObject;
      return data === event.data ? event : { ...event, data };
    });
  }
}

function sealedData(event: NewEvent, keys: ReadonlyMap<string, Buffer>): JsonObject {
  const fields = personalFieldsOf(event.type);
  if (!fields) return event.data;
  const key = keys.get(studentOf(event));
  return mapFields(event.data, fields, (value, field) =>
    // Of an erased student nothing is written down any more.
    key && value !== null ? sealText(key, JSON.stringify(value), boundTo(event, field)) : null,
  );
}

function openedData(event: RecordedEvent, keys: ReadonlyMap<string, Buffer>): JsonObject {
  const fields = personalFieldsOf(event.type);
  if (!fields) return event.data;
  const key = keys.get(studentOf(event));
  return mapFields(event.data, fields, (value, field) => {
    if (!isSealedText(value)) return value;
    return key ? (JSON.parse(openText(key, value, boundTo(event, field))) as Json) : null;
  });
}

/** A sealed value copied into another event or field does not open. */
const boundTo = ({ id }: NewEvent, field: string): string => `${id}:${field}`;

function mapFields(
  data: JsonObject,
  fields: readonly string[],
  change: (value: Json, field: string) => Json,
): JsonObject {
  const changed = fields.map((field): [string, Json] => [field, change(data[field] ?? null, field)]);
  return { ...data, ...Object.fromEntries(changed) };
}

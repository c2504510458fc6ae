import { currentSchemaVersion, entryOf, upcast, type EventType } from '@nimo/domain';
import {
  type EventCodec,
  type Json,
  type JsonObject,
  type NewEvent,
  type RecordedEvent,
  UndecodableEventError,
} from '@nimo/event-store';
import { isSealedText, openText, sealText } from './sealed-value.js';
import type { KeyStanding, StudentKeys } from './student-keys.js';

const personalFieldsOf = (type: string): readonly string[] | undefined => entryOf(type)?.personal;

/** Every personal event is in a student's own stream and says whose it is. */
const studentOf = ({ data }: NewEvent): string => data['studentId'] as string;

/** What was sealed and cannot be opened, though nobody was erased: keys are lost, or were tampered with. */
export type OnUnreadable = (reason: 'no key' | 'broken key' | 'wrong key', studentId: string) => void;

/**
 * Seals what identifies a person on the way into the log, opens it on the way out, and lifts old shapes. What cannot be opened reads as
 * null, as of somebody erased, and is told: one lost key must not keep the rest of the log from everybody.
 */
export class PersonalDataCodec implements EventCodec {
  constructor(
    private readonly keys: StudentKeys,
    private readonly onUnreadable: OnUnreadable = () => undefined,
  ) {}

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
      personal.length > 0
        ? await this.keys.standings(personal.map(studentOf))
        : new Map<string, KeyStanding>();
    return events.map((event) => {
      const data = lifted(event, this.openedData(event, keys));
      return data === event.data ? event : { ...event, data };
    });
  }

  private openedData(event: RecordedEvent, keys: ReadonlyMap<string, KeyStanding>): JsonObject {
    const fields = personalFieldsOf(event.type);
    if (!fields) return event.data;
    const studentId = studentOf(event);
    const key = keys.get(studentId);
    return mapFields(event.data, fields, (value, field) => {
      if (!isSealedText(value)) return value;
      if (key === 'erased') return null;
      if (key === undefined) return this.unreadable('no key', studentId);
      if (key === 'broken') return this.unreadable('broken key', studentId);
      try {
        return JSON.parse(openText(key, value, boundTo(event, field))) as Json;
      } catch {
        return this.unreadable('wrong key', studentId);
      }
    });
  }

  private unreadable(reason: Parameters<OnUnreadable>[0], studentId: string): null {
    this.onUnreadable(reason, studentId);
    return null;
  }
}

function lifted(event: RecordedEvent, data: JsonObject): JsonObject {
  try {
    return upcast(event.type, Number(event.metadata['schemaVersion'] ?? 1), data) as JsonObject;
  } catch (cause) {
    throw new UndecodableEventError(cause instanceof Error ? cause.message : String(cause), { cause });
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

import { currentSchemaVersion, upcast, type EventType } from '@nimo/domain';
import {
  type EventCodec,
  type Json,
  type JsonObject,
  type NewEvent,
  type RecordedEvent,
  UndecodableEventError,
  withLazyValues,
} from '@nimo/event-store';
import {
  boundTo,
  isEmptyValue,
  isSealedText,
  type OnUnreadable,
  sealedFieldsOf,
  type SealedGroup,
  sealedGroupsOf,
  SealedValues,
  sealText,
  type HeldKey,
  type KeyRef,
} from './sealed-values.js';
import { keyName, type KeyRing, type StudentKeys } from './student-keys.js';

const NO_KEYS: KeyRing<Buffer> = new Map();
const NO_HELD_KEYS: KeyRing = new Map();

/**
 * Encrypts personal data on append, decrypts it on read and upcasts old schema versions. Data that cannot be decrypted reads as erased and
 * is reported: one lost key must not make the rest of the log unreadable.
 */
export class PersonalDataCodec implements EventCodec {
  constructor(
    private readonly keys: StudentKeys,
    private readonly onUnreadable: OnUnreadable = () => undefined,
  ) {}

  async encode(events: readonly NewEvent[]): Promise<NewEvent[]> {
    const needed = keysNeeded(events, (value, field) => !isEmptyValue(value, field));
    const keys = needed.length > 0 ? await this.keys.findOrCreate(needed) : NO_KEYS;
    return events.map((event) => ({
      ...event,
      data: sealedData(event, keys),
      metadata: { ...event.metadata, schemaVersion: currentSchemaVersion(event.type as EventType) },
    }));
  }

  /** Fields are decrypted on first access, since most readers of the log never use them. */
  async decode(events: readonly RecordedEvent[]): Promise<RecordedEvent[]> {
    const needed = keysNeeded(events, isSealedText);
    const keys = needed.length > 0 ? await this.keys.standings(needed) : NO_HELD_KEYS;
    return events.map((event) => {
      const data = upcastData(event, this.readable(event, keys));
      return data === event.data ? event : { ...event, data };
    });
  }

  private readable(event: RecordedEvent, keys: KeyRing): JsonObject {
    const { type, data } = event;
    const late = sealedFieldsOf(type).filter((name) => isSealedText(data[name]));
    if (late.length === 0) return data;
    const held = sealedGroupsOf(type).map((group) => this.heldKey(group, event, keys));
    return withLazyValues(late, new SealedValues(event, held, this.onUnreadable));
  }

  /** Reports missing and broken keys immediately, for every value, whether it is read or not. */
  private heldKey(
    { fields, keyOf }: SealedGroup,
    { data }: RecordedEvent,
    keys: KeyRing,
  ): HeldKey | undefined {
    const ref = keyOf(data);
    const held = ref && keys.get(keyName(ref.kind, ref.id));
    if (held !== undefined && held.state !== 'broken') return held;
    for (const { name } of fields)
      if (isSealedText(data[name])) this.onUnreadable(held ? 'broken key' : 'no key', ref?.id ?? '');
    return held;
  }
}

/** The keys of fields that have something to encrypt or decrypt. */
function keysNeeded(
  events: readonly NewEvent[],
  has: (value: Json, field: SealedGroup['fields'][number]) => boolean,
): KeyRef[] {
  const refs: KeyRef[] = [];
  for (const { type, data } of events)
    for (const group of sealedGroupsOf(type)) {
      if (!group.fields.some((field) => has(data[field.name] ?? null, field))) continue;
      const ref = group.keyOf(data);
      if (ref) refs.push(ref);
    }
  return refs;
}

function upcastData(event: RecordedEvent, data: JsonObject): JsonObject {
  try {
    return upcast(event.type, Number(event.metadata['schemaVersion'] ?? 1), data) as JsonObject;
  } catch (cause) {
    throw new UndecodableEventError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function sealedData(event: NewEvent, keys: KeyRing<Buffer>): JsonObject {
  const groups = sealedGroupsOf(event.type);
  if (groups.length === 0) return event.data;
  const sealed: Record<string, Json> = { ...event.data };
  for (const group of groups) {
    const ref = group.keyOf(event.data);
    const key = ref && keys.get(keyName(ref.kind, ref.id));
    for (const field of group.fields) {
      const value = event.data[field.name];
      if (ref === undefined || value === undefined || isEmptyValue(value, field)) continue;
      // Nothing is stored about an erased student.
      sealed[field.name] = key
        ? sealText(key, JSON.stringify(value), boundTo(event, field.name))
        : field.gone;
    }
  }
  return sealed;
}

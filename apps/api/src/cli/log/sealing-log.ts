import { currentSchemaVersion, upcast, type EventType } from '@nimo/domain';
import type {
  EventStore,
  Json,
  JsonObject,
  Position,
  ReadAllOptions,
  RecordedEvent,
} from '@nimo/event-store';
import { v5 as uuidv5 } from 'uuid';
import { isNothing, type SealedField, sealedGroupsOf } from '../../platform/personal-data/sealed-fields.js';
import { boundTo, isSealedText, sealTextAlike } from '../../platform/personal-data/sealed-value.js';
import {
  keyName,
  type KeyRef,
  type KeyRing,
  type KeyStanding,
  type StudentKeys,
} from '../../platform/personal-data/student-keys.js';

const RESERVATIONS = 'c1f4b5b2-4b0e-5c55-9b5a-0c7a1d6f2e83';

export interface SealedOnTheWay {
  /** Events that held something in clear. */
  sealed: number;
  /** Of those, events of somebody erased, whose values were left out. */
  leftOut: number;
}

/**
 * A log as it is when everything in it that belongs to a person is sealed: what is in clear is sealed under its owner's key as it is read, and left
 * out where that key was destroyed. The same each time, so that a copy of it can be gone on with, and compared with it to the byte. What
 * is sealed already stays as it is.
 */
export class SealingLog implements Pick<EventStore, 'readAll' | 'countAfter'> {
  /** Of the latest reading from the beginning. */
  counts: SealedOnTheWay = { sealed: 0, leftOut: 0 };
  private makesKeys = false;

  /** @param log as it is stored */
  constructor(
    private readonly log: EventStore,
    private readonly keys: Pick<StudentKeys, 'standings' | 'findOrMake'>,
  ) {}

  /** From now on owners without a key get one. Before it, nothing is written anywhere. */
  makeKeys(): void {
    this.makesKeys = true;
  }

  countAfter(after: Position | undefined, atMost: number): Promise<number> {
    return this.log.countAfter(after, atMost);
  }

  async readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    if (options.after === undefined) this.counts = { sealed: 0, leftOut: 0 };
    const events = (await this.log.readAll(options)).map(asToBeSealed);
    const wanted = events.flatMap(refsOf);
    if (wanted.length === 0) return events;
    const ring = await this.ringOf(wanted);
    return events.map((event) => this.sealed(event, ring));
  }

  /** Who holds a claim is known by the identity: of somebody erased no new key is made. */
  private async ringOf(wanted: readonly KeyRef[]): Promise<KeyRing<KeyStanding>> {
    const holders = wanted.flatMap(({ heldBy }) =>
      heldBy ? [{ kind: 'identity' as const, id: heldBy }] : [],
    );
    const held = await this.keys.standings([...wanted, ...holders]);
    const before = new Map([...held].map(([name, { standing }]) => [name, standing]));
    const isOfErased = ({ heldBy }: KeyRef): boolean =>
      heldBy !== undefined && before.get(keyName('identity', heldBy)) === 'erased';
    const open = wanted.filter(
      (ref) => before.get(keyName(ref.kind, ref.id)) !== 'erased' && !isOfErased(ref),
    );
    const made: KeyRing<KeyStanding> = this.makesKeys ? await this.keys.findOrMake(open) : before;
    const ring = new Map<string, KeyStanding>();
    for (const ref of wanted) {
      const name = keyName(ref.kind, ref.id);
      const key = made.get(name);
      if (key !== undefined) ring.set(name, key);
      else if (!open.includes(ref) || this.makesKeys) ring.set(name, 'erased');
    }
    return ring;
  }

  private sealed(event: RecordedEvent, ring: KeyRing<KeyStanding>): RecordedEvent {
    const data: Record<string, Json> = { ...event.data };
    let [found, left] = [false, false];
    for (const group of sealedGroupsOf(event.type)) {
      const ref = group.keyOf(event.data);
      const key = ref && ring.get(keyName(ref.kind, ref.id));
      for (const field of group.fields) {
        const value = event.data[field.name];
        // Without a key, before any is made, the event stays as it is.
        if (key === undefined || key === 'broken' || !isInClear(value, field)) continue;
        found = true;
        left ||= key === 'erased';
        data[field.name] =
          key === 'erased'
            ? field.gone
            : sealTextAlike(key, JSON.stringify(value), boundTo(event, field.name));
      }
    }
    if (!found) return event;
    this.counts.sealed += 1;
    if (left) this.counts.leftOut += 1;
    return { ...event, data };
  }
}

/** How many fields of an event, of the present shape or an earlier one, hold something of a person in clear. */
export const fieldsInClear = (event: RecordedEvent): number => {
  const { type, data } = asToBeSealed(event);
  return sealedGroupsOf(type).reduce(
    (count, { fields }) => count + fields.filter((field) => isInClear(data[field.name], field)).length,
    0,
  );
};

const isInClear = (value: Json | undefined, field: SealedField): boolean =>
  value !== undefined && !isSealedText(value) && !isNothing(value, field);

/** In the present shape, whose fields the vocabulary names; an event that has something sealed is opened before it is lifted, so it stays. */
function asToBeSealed(event: RecordedEvent): RecordedEvent {
  const groups = sealedGroupsOf(event.type);
  if (groups.length === 0) return event;
  const version = Number(event.metadata['schemaVersion'] ?? 1);
  const current = currentSchemaVersion(event.type as EventType);
  const isLifted = version < current && !Object.values(event.data).some(isSealedText);
  const data = isLifted ? (upcast(event.type, version, event.data) as JsonObject) : event.data;
  const reserved = withReservation(event, data);
  const isSame =
    reserved === event.data ||
    !groups.some(({ fields }) => fields.some((field) => isInClear(reserved[field.name], field)));
  if (isSame) return event;
  return {
    ...event,
    data: reserved,
    metadata: isLifted ? { ...event.metadata, schemaVersion: current } : event.metadata,
  };
}

/** A claim of before names no reservation, under whose key its holder could be sealed: one of the same holder is one. */
function withReservation({ streamId }: RecordedEvent, data: JsonObject): JsonObject {
  const { reservationId, studentId } = data;
  if (reservationId !== null || typeof studentId !== 'string') return data;
  return { ...data, reservationId: uuidv5(`${streamId} ${studentId}`, RESERVATIONS) };
}

function refsOf({ type, data }: RecordedEvent): readonly KeyRef[] {
  return sealedGroupsOf(type).flatMap((group) => {
    const ref = group.keyOf(data);
    return ref && group.fields.some((field) => isInClear(data[field.name], field)) ? [ref] : [];
  });
}

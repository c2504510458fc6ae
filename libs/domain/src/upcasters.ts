import { EVENT_TYPES, entryOf, type EventType } from './events.js';
import type { Upcaster } from './vocabulary.js';

type StoredData = Parameters<Upcaster>[0];
/** Of each type, as in the vocabulary: one that is not listed is at version 1. */
export type UpcasterRegistry = { readonly [T in EventType]?: readonly Upcaster[] };

export const UPCASTERS: UpcasterRegistry = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, entryOf(type)?.upcasters ?? []]),
);

const upcastersOf = (type: string, registry: UpcasterRegistry): readonly Upcaster[] =>
  (registry as Readonly<Record<string, readonly Upcaster[] | undefined>>)[type] ?? [];

/** What the command handler writes as `schemaVersion`. */
export const currentSchemaVersion = (type: EventType, registry: UpcasterRegistry = UPCASTERS): number =>
  upcastersOf(type, registry).length + 1;

/**
 * Stored data in the type's current shape.
 * @throws Error for a version that this program does not know: it is older than what wrote the event, and must not guess.
 */
export const upcast = (
  type: string,
  schemaVersion: number,
  data: StoredData,
  registry: UpcasterRegistry = UPCASTERS,
): StoredData => {
  const upcasters = upcastersOf(type, registry);
  if (!Number.isInteger(schemaVersion) || schemaVersion < 1 || schemaVersion > upcasters.length + 1) {
    throw new Error(
      `${type} is stored in version ${schemaVersion}; this program knows 1 to ${upcasters.length + 1}`,
    );
  }
  if (schemaVersion > upcasters.length) return data;
  return upcasters.slice(schemaVersion - 1).reduce((shape, lift) => lift(shape), data);
};

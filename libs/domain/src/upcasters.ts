import { EVENT_TYPES, entryOf, type EventType } from './events.js';
import type { Upcaster } from './vocabulary.js';

type StoredData = Parameters<Upcaster>[0];
/** Upcasters by event type. Types that are not listed are at version 1. */
export type UpcasterRegistry = { readonly [T in EventType]?: readonly Upcaster[] };

export const UPCASTERS: UpcasterRegistry = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, entryOf(type)?.upcasters ?? []]),
);

const upcastersOf = (type: string, registry: UpcasterRegistry): readonly Upcaster[] =>
  (registry as Readonly<Record<string, readonly Upcaster[] | undefined>>)[type] ?? [];

/** Schema version of newly written events. */
export const currentSchemaVersion = (type: EventType, registry: UpcasterRegistry = UPCASTERS): number =>
  upcastersOf(type, registry).length + 1;

/** Converts stored data to the current schema version. @throws Error for an unknown version, written by newer code */
export const upcast = (
  type: string,
  schemaVersion: number,
  data: StoredData,
  registry: UpcasterRegistry = UPCASTERS,
): StoredData => {
  const upcasters = upcastersOf(type, registry);
  if (!Number.isInteger(schemaVersion) || schemaVersion < 1 || schemaVersion > upcasters.length + 1) {
    throw new Error(
      `${type} is stored in version ${schemaVersion}; supported are 1 to ${upcasters.length + 1}`,
    );
  }
  if (schemaVersion > upcasters.length) return data;
  return upcasters.slice(schemaVersion - 1).reduce((shape, upcaster) => upcaster(shape), data);
};

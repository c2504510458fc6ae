import type { EventType } from './events.js';

type StoredData = Readonly<Record<string, unknown>>;
/** From the shape of one version to that of the next. */
export type Upcaster = (data: StoredData) => StoredData;

/**
 * An event type's upcasters in order: the first lifts version 1 to 2, and so on, so their number plus one is the type's current version.
 * A type that is not listed is at version 1. Events in a log are never rewritten.
 */
export type UpcasterRegistry = { readonly [T in EventType]?: readonly Upcaster[] };
const withCategory: Upcaster = (data) => ({ category: 'OTHER', ...data });

/** Nobody knows any more who blocked: taken for a maintainer, whose blocks lower ranks do not lift. */
const withRank: Upcaster = (data) => ({ rank: 'MAINTAINER', ...data });

export const UPCASTERS: UpcasterRegistry = {
  StudentBlocked: [withRank],
  VotesInvalidated: [withCategory],
  InvalidationReversed: [withCategory],
};

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
  return upcasters.slice(schemaVersion - 1).reduce((shape, lift) => lift(shape), data);
};

import { entryOf, type KeyKind } from '@nimo/domain';
import type { Json, JsonObject } from '@nimo/event-store';
import type { KeyRef } from './student-keys.js';

/** Fields of an event that one key seals. */
export interface SealedGroup {
  readonly kind: KeyKind;
  readonly fields: readonly SealedField[];
  /** Undefined of an event that names no key: nothing of it is sealed. */
  readonly keyOf: (data: JsonObject) => KeyRef | undefined;
}

export interface SealedField {
  readonly name: string;
  /** What it reads as once the key is gone. */
  readonly gone: Json;
}

const NONE: readonly SealedGroup[] = [];
const groups = new Map<string, readonly SealedGroup[]>();

/** What the vocabulary says is sealed in events of a type. */
export function sealedGroupsOf(type: string): readonly SealedGroup[] {
  const known = groups.get(type);
  if (known) return known;
  const found = entryOf(type)?.sealed?.map(groupOf) ?? NONE;
  groups.set(type, found);
  return found;
}

const fields = new Map<string, readonly string[]>();

/** The names of all fields that are sealed in events of a type, by whichever key. */
export function sealedFieldsOf(type: string): readonly string[] {
  const known = fields.get(type);
  if (known) return known;
  const found = sealedGroupsOf(type).flatMap((group) => group.fields.map(({ name }) => name));
  fields.set(type, found);
  return found;
}

type Said = NonNullable<NonNullable<ReturnType<typeof entryOf>>['sealed']>[number];

function groupOf({ of, with: kind, gone, heldBy }: Said): SealedGroup {
  return {
    kind,
    // What the vocabulary says of fields is JSON, as they are.
    fields: Object.entries(gone).map(([name, value]) => ({ name, gone: value as Json })),
    keyOf(data) {
      const id = data[of];
      if (typeof id !== 'string') return undefined;
      const holder = heldBy === undefined ? undefined : data[heldBy];
      return { kind, id, heldBy: typeof holder === 'string' ? holder : undefined };
    },
  };
}

/** Nothing is hidden of what is empty, and nothing is left to hide of what reads as gone. */
export const isNothing = (value: Json, { gone }: SealedField): boolean =>
  value === null || value === gone || (Array.isArray(gone) && Array.isArray(value) && value.length === 0);

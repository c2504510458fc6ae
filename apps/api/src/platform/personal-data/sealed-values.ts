import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { entryOf, type KeyKind } from '@nimo/domain';
import type { Json, JsonObject, LateValues, RecordedEvent } from '@nimo/event-store';

/** Erased is for good; broken is what the master key does not open. */
export type KeyStanding = Buffer | 'erased' | 'broken';

/** Names a key: of a student, or (claim) of a reservation. */
export interface KeyRef {
  readonly kind: KeyKind;
  readonly id: string;
  /** The student with whom the key of a reservation goes. Needed where it may have to be made. */
  readonly heldBy?: string | undefined;
}

/** A key as this process knows it. Whoever holds one sees at once that it was destroyed here. */
export interface HeldKey {
  readonly standing: KeyStanding;
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const MARK = 'sealed:v1:';

export const KEY_BYTES = 32;

/** @param boundTo where the value belongs: it opens nowhere else */
export function seal(key: Buffer, plain: Buffer, boundTo: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(boundTo));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** More than one while a key rotates: what was sealed with the former one opens as before. */
export type OpeningKeys = Buffer | readonly Buffer[];

/** @throws Error where no key, or not the place, is what it was sealed with */
export function open(keys: OpeningKeys, sealed: Buffer, boundTo: string): Buffer {
  if (Buffer.isBuffer(keys)) return openWith(keys, sealed, boundTo);
  let failure: unknown = new Error('there is no key');
  for (const key of keys)
    try {
      return openWith(key, sealed, boundTo);
    } catch (error) {
      failure = error;
    }
  throw failure;
}

function openWith(key: Buffer, sealed: Buffer, boundTo: string): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
  // Nothing is left by then in this mode; it looks at the tag.
  decipher.final();
  return plain;
}

/** A sealed value copied into another event or field does not open. */
export const boundTo = ({ id }: { readonly id: string }, field: string): string => `${id}:${field}`;

/** A text as it stands in a stored event. */
export const sealText = (key: Buffer, text: string, boundTo: string): string =>
  MARK + seal(key, Buffer.from(text), boundTo).toString('base64url');

export const isSealedText = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(MARK);

export const openText = (keys: OpeningKeys, sealed: string, boundTo: string): string =>
  open(keys, Buffer.from(sealed.slice(MARK.length), 'base64url'), boundTo).toString();

/** Fields of an event that one key seals. */
export interface SealedGroup {
  readonly kind: KeyKind;
  readonly fields: readonly SealedField[];
  /** Undefined of an event that names no key: nothing of it is sealed. */
  readonly keyOf: (data: JsonObject) => KeyRef | undefined;
}

interface SealedField {
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

/** What was sealed and cannot be opened, though nobody was erased: keys are lost, or were tampered with. */
export type OnUnreadable = (reason: 'no key' | 'broken key' | 'wrong key', owner: string) => void;

/** What of one event is sealed: opened when it is first read, and read as gone from the moment in which its key is. */
export class SealedValues implements LateValues {
  readonly stored: JsonObject;
  private opened: Record<string, Json> | undefined;

  /** @param held the key of each of the type's groups, where there is one */
  constructor(
    private readonly event: RecordedEvent,
    private readonly held: readonly (HeldKey | undefined)[],
    private readonly onUnreadable: OnUnreadable,
  ) {
    this.stored = event.data;
  }

  valueOf(field: string): Json {
    const groups = sealedGroupsOf(this.event.type);
    const index = groups.findIndex(({ fields }) => fields.some(({ name }) => name === field));
    const group = groups[index];
    const gone = group?.fields.find(({ name }) => name === field)?.gone ?? null;
    const standing = this.held[index]?.standing;
    if (!(standing instanceof Buffer)) {
      this.opened = undefined;
      return gone;
    }
    this.opened ??= {};
    return (this.opened[field] ??= this.open(field, standing, group?.keyOf(this.stored)?.id) ?? gone);
  }

  /** @returns null where it does not open; nothing that is null is ever sealed */
  private open(field: string, key: Buffer, owner = ''): Json {
    try {
      const sealed = this.stored[field];
      if (!isSealedText(sealed)) return sealed ?? null;
      return JSON.parse(openText(key, sealed, boundTo(this.event, field))) as Json;
    } catch {
      this.onUnreadable('wrong key', owner);
      return null;
    }
  }
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { entryOf, type KeyKind } from '@nimo/domain';
import type { Json, JsonObject, LazyValues, RecordedEvent } from '@nimo/event-store';

/** `erased` is permanent; `broken` keys cannot be unwrapped by the master key. */
export type KeyState = Buffer | 'erased' | 'broken';

/** Identifies the key of a student or, for claims, of a reservation. */
export interface KeyRef {
  readonly kind: KeyKind;
  readonly id: string;
  /** The student whose erasure destroys the key of a reservation. Required to create it. */
  readonly heldBy?: string | undefined;
}

/** A cached key, updated in place when this process destroys it. */
export interface HeldKey {
  readonly state: KeyState;
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PREFIX = 'sealed:v1:';

export const KEY_BYTES = 32;

/** @param boundTo additional authenticated data: the only place where the value can be decrypted */
export function seal(key: Buffer, plain: Buffer, boundTo: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(boundTo));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Several keys during rotation. */
export type OpeningKeys = Buffer | readonly Buffer[];

/** @throws Error when no key fits, or the value belongs elsewhere */
export function open(keys: OpeningKeys, sealed: Buffer, boundTo: string): Buffer {
  if (Buffer.isBuffer(keys)) return openWith(keys, sealed, boundTo);
  let failure: unknown = new Error('no key given');
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
  // Returns no data in GCM; verifies the tag.
  decipher.final();
  return plain;
}

/** Binds a value to its event and field, so that a copy elsewhere cannot be decrypted. */
export const boundTo = ({ id }: { readonly id: string }, field: string): string => `${id}:${field}`;

/** Encrypts text for a stored event. */
export const sealText = (key: Buffer, text: string, boundTo: string): string =>
  PREFIX + seal(key, Buffer.from(text), boundTo).toString('base64url');

export const isSealedText = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(PREFIX);

export const openText = (keys: OpeningKeys, sealed: string, boundTo: string): string =>
  open(keys, Buffer.from(sealed.slice(PREFIX.length), 'base64url'), boundTo).toString();

/** Fields of an event encrypted with one key. */
export interface SealedGroup {
  readonly kind: KeyKind;
  readonly fields: readonly SealedField[];
  /** Undefined when the event names no key: its fields are then stored in the clear. */
  readonly keyOf: (data: JsonObject) => KeyRef | undefined;
}

interface SealedField {
  readonly name: string;
  /** The value once the key is erased. */
  readonly gone: Json;
}

const NONE: readonly SealedGroup[] = [];
const groups = new Map<string, readonly SealedGroup[]>();

/** Encrypted fields of an event type, by key. */
export function sealedGroupsOf(type: string): readonly SealedGroup[] {
  const known = groups.get(type);
  if (known) return known;
  const found = entryOf(type)?.sealed?.map(groupOf) ?? NONE;
  groups.set(type, found);
  return found;
}

const fields = new Map<string, readonly string[]>();

/** Names of all encrypted fields of an event type. */
export function sealedFieldsOf(type: string): readonly string[] {
  const known = fields.get(type);
  if (known) return known;
  const found = sealedGroupsOf(type).flatMap((group) => group.fields.map(({ name }) => name));
  fields.set(type, found);
  return found;
}

type SealedEntry = NonNullable<NonNullable<ReturnType<typeof entryOf>>['sealed']>[number];

function groupOf({ of, with: kind, gone, heldBy }: SealedEntry): SealedGroup {
  return {
    kind,
    // The vocabulary holds only JSON values.
    fields: Object.entries(gone).map(([name, value]) => ({ name, gone: value as Json })),
    keyOf(data) {
      const id = data[of];
      if (typeof id !== 'string') return undefined;
      const holder = heldBy === undefined ? undefined : data[heldBy];
      return { kind, id, heldBy: typeof holder === 'string' ? holder : undefined };
    },
  };
}

/** Whether there is nothing to encrypt: the value is empty or already erased. */
export const isEmptyValue = (value: Json, { gone }: SealedField): boolean =>
  value === null || value === gone || (Array.isArray(gone) && Array.isArray(value) && value.length === 0);

/** Called for values that cannot be decrypted although the student was not erased: keys are lost or were tampered with. */
export type OnUnreadable = (reason: 'no key' | 'broken key' | 'wrong key', owner: string) => void;

/** Encrypted fields of one event: decrypted on first access, erased as soon as the key is. */
export class SealedValues implements LazyValues {
  readonly stored: JsonObject;
  private decrypted: Record<string, Json> | undefined;

  /** @param held the key of each group of the type, if it exists */
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
    const state = this.held[index]?.state;
    if (!(state instanceof Buffer)) {
      this.decrypted = undefined;
      return gone;
    }
    this.decrypted ??= {};
    return (this.decrypted[field] ??= this.open(field, state, group?.keyOf(this.stored)?.id) ?? gone);
  }

  /** @returns null when it cannot be decrypted; null itself is never encrypted */
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

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

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

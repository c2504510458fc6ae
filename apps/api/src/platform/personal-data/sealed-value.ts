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

/** @throws Error where key or place are not those it was sealed with */
export function open(key: Buffer, sealed: Buffer, boundTo: string): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** A text as it stands in a stored event. */
export const sealText = (key: Buffer, text: string, boundTo: string): string =>
  MARK + seal(key, Buffer.from(text), boundTo).toString('base64url');

export const isSealedText = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(MARK);

export const openText = (key: Buffer, sealed: string, boundTo: string): string =>
  open(key, Buffer.from(sealed.slice(MARK.length), 'base64url'), boundTo).toString();

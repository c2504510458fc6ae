import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

/** PKCS #8 of an Ed25519 key is this prefix and the 32 bytes of the seed (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX_BYTES = 12;
const RAW_PUBLIC_KEY_BYTES = 32;

export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export interface PublicKey {
  readonly keyId: string;
  readonly publicKey: KeyObject;
}

/** @param seed 32 random bytes */
export function signingKeyOf(seed: Buffer): SigningKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey);
  return { privateKey, publicKey, keyId: keyIdOf(publicKey) };
}

/** The beginning of SHA-256 of the key's SubjectPublicKeyInfo. */
function keyIdOf(publicKey: KeyObject): string {
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  return createHash('sha256').update(spki).digest('hex').slice(0, 16);
}

/** One line, for a chat or a note; `publicKeyOf` takes it back. */
export function publicKeyText({ publicKey }: PublicKey): string {
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  return spki.subarray(SPKI_PREFIX_BYTES).toString('base64');
}

/** Takes PEM, or the 32 bytes in base64. Undefined where it is neither. */
export function publicKeyOf(text: string): PublicKey | undefined {
  try {
    const raw = Buffer.from(text.trim(), 'base64');
    const publicKey = text.includes('-----BEGIN')
      ? createPublicKey(text)
      : createPublicKey({
          key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
          format: 'jwk',
        });
    const isRaw = text.includes('-----BEGIN') || raw.length === RAW_PUBLIC_KEY_BYTES;
    if (!isRaw || publicKey.asymmetricKeyType !== 'ed25519') return undefined;
    return { publicKey, keyId: keyIdOf(publicKey) };
  } catch {
    return undefined;
  }
}

/** Ed25519 over the canonical JSON. The statement says its own format, so that one kind is never taken for another. */
export function signStatement(statement: { readonly format: string }, { privateKey }: SigningKey): string {
  return sign(null, Buffer.from(canonicalJson(statement)), privateKey).toString('base64');
}

export function isSignedBy(
  statement: { readonly format: string },
  signature: string,
  { publicKey }: PublicKey,
): boolean {
  return verify(null, Buffer.from(canonicalJson(statement)), publicKey, Buffer.from(signature, 'base64'));
}

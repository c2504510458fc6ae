import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson, type ChainTip } from './event-chain.js';

export interface HeadsRead {
  /** By ordinal. */
  readonly heads: readonly SignedHead[];
  /** Entries that are no signed head: torn by a crash, or changed. */
  readonly damagedLines: number;
}

/** A place where signed heads are kept. Nothing is ever taken away from it, and what it says is believed by its signature alone. */
export interface HeadWitness {
  /** As it is called in a sentence. */
  readonly name: string;
  /** In their order; one that is there already is left. */
  append(heads: readonly SignedHead[]): Promise<void>;
  /** Those after an ordinal, at most so many, so that nobody holds the heads of years. */
  read(after?: number, limit?: number): Promise<HeadsRead>;
  /** The last few, found without reading those before. */
  last(): Promise<HeadsRead>;
}

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

const FORMAT = 'nimo.signed-head/1';

/** "At this time the log had so many events, and this was their chain." */
export interface SignedHead {
  readonly ordinal: number;
  /** Hexadecimal. */
  readonly head: string;
  /** ISO 8601. */
  readonly at: string;
  readonly keyId: string;
  readonly signature: string;
}

const statementOf = ({ ordinal, head, at, keyId }: Omit<SignedHead, 'signature'>) => ({
  format: FORMAT,
  ordinal,
  head,
  at,
  keyId,
});

export function signHead({ ordinal, head }: ChainTip, key: SigningKey, now: Date): SignedHead {
  const unsigned = { ordinal, head: head.toString('hex'), at: now.toISOString(), keyId: key.keyId };
  return { ...unsigned, signature: signStatement(statementOf(unsigned), key) };
}

export function isGenuineHead(head: SignedHead, key: PublicKey): boolean {
  return head.keyId === key.keyId && isSignedBy(statementOf(head), head.signature, key);
}

const HEX_HASH = /^[0-9a-f]{64}$/;

/** Undefined where the line is no signed head. */
export function parseSignedHead(line: string): SignedHead | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isSignedHead(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isSignedHead(value: unknown): value is SignedHead {
  if (typeof value !== 'object' || value === null) return false;
  const { ordinal, head, at, keyId, signature } = value as Readonly<Record<keyof SignedHead, unknown>>;
  return (
    Number.isSafeInteger(ordinal) &&
    typeof head === 'string' &&
    HEX_HASH.test(head) &&
    [at, keyId, signature].every((text) => typeof text === 'string')
  );
}

/** Heads that are held of each witness: a part of a log of years. */
const HELD = 20_000;

/** A witness read from the beginning to the end, a part at a time. */
export class HeadWindow {
  private after = 0;
  private until = 0;
  private heads: readonly SignedHead[] = [];

  constructor(readonly witness: HeadWitness) {}

  /** What is read from now on is what is there now. */
  reset(): void {
    this.until = 0;
  }

  /** At most up to `until`; what the window reaches to is told with it. */
  async between(
    after: number,
    until: number,
  ): Promise<{ readonly heads: readonly SignedHead[]; readonly until: number }> {
    if (after < this.after || after >= this.until || this.until === 0) await this.load(after, until);
    const reaches = Math.min(until, this.until);
    return {
      heads: this.heads.filter(({ ordinal }) => ordinal > after && ordinal <= reaches),
      until: reaches,
    };
  }

  private async load(after: number, until: number): Promise<void> {
    const { heads } = await this.witness.read(after, HELD);
    this.after = after;
    this.heads = heads;
    const last = heads.at(-1)?.ordinal ?? until;
    // Of one ordinal there may be several: the last may not be whole.
    this.until = heads.length < HELD ? Math.max(until, last) : Math.max(after + 1, last - 1);
  }
}

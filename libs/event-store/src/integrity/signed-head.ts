import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson, type ChainTip } from './event-chain.js';

export interface HeadsRead {
  /** Sorted by ordinal. */
  readonly heads: readonly SignedHead[];
  /** Number of invalid entries: truncated by a crash, or changed. */
  readonly damagedLines: number;
}

/** External checkpoint: append-only storage of signed heads. Only the signatures are trusted. */
export interface ExternalCheckpoint {
  /** Name used in messages. */
  readonly name: string;
  /** Appends heads in order. Existing heads are kept. */
  append(heads: readonly SignedHead[]): Promise<void>;
  /** Heads after an ordinal, up to a limit that bounds memory. */
  read(after?: number, limit?: number): Promise<HeadsRead>;
  /** The last few heads, without reading earlier ones. */
  last(): Promise<HeadsRead>;
}

/** PKCS #8 encodes an Ed25519 key as this prefix and the 32-byte seed (RFC 8410, section 7). */
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

/** Prefix of the SHA-256 hash of the key's SubjectPublicKeyInfo. */
function keyIdOf(publicKey: KeyObject): string {
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  return createHash('sha256').update(spki).digest('hex').slice(0, 16);
}

/** Base64 on one line, easy to share. Parsed by `publicKeyOf`. */
export function publicKeyText({ publicKey }: PublicKey): string {
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  return spki.subarray(SPKI_PREFIX_BYTES).toString('base64');
}

/** Parses PEM or 32 bytes in base64. Undefined if the text is neither. */
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

/** Ed25519 signature of the canonical JSON. The statement includes its format, so that different kinds cannot be confused. */
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

/** A signed statement that at a given time the log had this many events with this chain head. */
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

/** Undefined if the line is not a signed head. */
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

/** Maximum number of heads in memory per checkpoint. */
const WINDOW_SIZE = 20_000;

/** Reads an external checkpoint from start to end, one window at a time. */
export class HeadWindow {
  private after = 0;
  private until = 0;
  private heads: readonly SignedHead[] = [];

  constructor(readonly checkpoint: ExternalCheckpoint) {}

  /** Discards the window, so that the next read is fresh. */
  reset(): void {
    this.until = 0;
  }

  /** Heads after one ordinal up to `until`, or up to the end of the window, which is returned as well. */
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
    const { heads } = await this.checkpoint.read(after, WINDOW_SIZE);
    this.after = after;
    this.heads = heads;
    const last = heads.at(-1)?.ordinal ?? until;
    // An ordinal can have several heads, and those of the last one may be incomplete.
    this.until = heads.length < WINDOW_SIZE ? Math.max(until, last) : Math.max(after + 1, last - 1);
  }
}

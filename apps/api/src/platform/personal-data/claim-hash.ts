import { createHmac } from 'node:crypto';
import { emailKey, userNameKey, type ClaimKind } from '@nimo/domain';
import { keyPrint } from './key-print.js';

const COMPARED_AS: Readonly<Record<ClaimKind, (value: string) => string>> = {
  username: userNameKey,
  phone: (phone) => phone,
  email: emailKey,
};

/**
 * Names the streams of values that must be unique. Keyed, as twelve digits could be tried out against a plain hash. While the key rotates
 * there is a former one, under which everything is found as well.
 */
export class ClaimHasher {
  constructor(
    private readonly key: Buffer,
    private readonly former?: Buffer,
  ) {}

  /** Names the present key, beside what is stored under it and cannot be made again. */
  get print(): string {
    return keyPrint('hmac', this.key);
  }

  hash(kind: ClaimKind, value: string): string {
    return claimHash(this.key, kind, value);
  }

  /** Every name of the value: the former key's first, where a process that knows no other one looks. */
  hashes(kind: ClaimKind, value: string): readonly string[] {
    const keys = this.former ? [this.former, this.key] : [this.key];
    return keys.map((key) => claimHash(key, kind, value));
  }

  /** For other short secrets (one-time codes), apart from the claims. */
  hashSecret(purpose: string, ...parts: readonly string[]): Buffer {
    return secretHash(this.key, purpose, parts);
  }

  /** The same under the former key, while there is one. */
  formerSecret(purpose: string, ...parts: readonly string[]): Buffer | undefined {
    return this.former && secretHash(this.former, purpose, parts);
  }

  /** Under every key, the present one first: what is compared with what may have been stored under either. */
  secretHashes(purpose: string, ...parts: readonly string[]): readonly Buffer[] {
    const former = this.formerSecret(purpose, ...parts);
    return [this.hashSecret(purpose, ...parts), ...(former ? [former] : [])];
  }
}

const claimHash = (key: Buffer, kind: ClaimKind, value: string): string =>
  createHmac('sha256', key)
    .update(`${kind}:${COMPARED_AS[kind](value)}`)
    .digest('hex');

const secretHash = (key: Buffer, purpose: string, parts: readonly string[]): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify(['secret', purpose, ...parts]))
    .digest();

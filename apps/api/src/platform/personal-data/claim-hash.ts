import { createHmac } from 'node:crypto';
import { emailKey, userNameKey, type ClaimKind } from '@nimo/domain';

const COMPARED_AS: Readonly<Record<ClaimKind, (value: string) => string>> = {
  username: userNameKey,
  phone: (phone) => phone,
  email: emailKey,
};

/** Names the streams of values that must be unique. Keyed, as twelve digits could be tried out against a plain hash. */
export class ClaimHasher {
  constructor(private readonly key: Buffer) {}

  hash(kind: ClaimKind, value: string): string {
    return createHmac('sha256', this.key)
      .update(`${kind}:${COMPARED_AS[kind](value)}`)
      .digest('hex');
  }

  /** For other short secrets (one-time codes), apart from the claims. */
  hashSecret(purpose: string, ...parts: readonly string[]): Buffer {
    return createHmac('sha256', this.key)
      .update(JSON.stringify(['secret', purpose, ...parts]))
      .digest();
  }
}

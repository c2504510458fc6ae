import type { ChainTip } from './event-chain.js';
import { isSignedBy, type PublicKey, type SigningKey, signStatement } from './signing-key.js';

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

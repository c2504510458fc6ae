import { emailKey, type Contact } from '@nimo/domain';
import type { ClaimHasher } from '../../platform/personal-data/claim-hash.js';

export type SecretKind = 'LINK' | 'CODE';

/** Letters and digits that nobody takes for one another, read out or in handwriting: without 0 O Q, 1 I L, 2 Z, 5 S, 6 G, 8 B, U. */
const ALPHABET = 'ACDEFHJKMNPRTVWXY3479';
const CODE_LENGTH = 8;
const CODE_FORM = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`);
const LINK_FORM = /^[\w-]{43}$/;

/**
 * What opens an invitation, made out of its id, its salt and the key of the api: staff can read it again as long as it lasts, and whoever has
 * the database cannot.
 */
export const secretOf = (hasher: ClaimHasher, kind: SecretKind, id: string, salt: Buffer): string =>
  readable(kind, hasher.hashSecret(...purposeOf(kind, id, salt)));

/** The one that the hash was made of, under the present key or a former one; undefined where that is gone. */
export const secretBehind = (
  hasher: ClaimHasher,
  kind: SecretKind,
  { id, salt, hash }: { readonly id: string; readonly salt: Buffer; readonly hash: Buffer },
): string | undefined =>
  hasher
    .secretHashes(...purposeOf(kind, id, salt))
    .map((bytes) => readable(kind, bytes))
    .find((secret) => hashesOfSecret(hasher, secret).some((known) => known.equals(hash)));

const purposeOf = (kind: SecretKind, id: string, salt: Buffer) =>
  [`invitation-${kind}`, id, salt.toString('hex')] as const;

function readable(kind: SecretKind, bytes: Buffer): string {
  if (kind === 'LINK') return bytes.toString('base64url');
  // Of 256 bits, so that no letter is likelier than another.
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let code = '';
  while (code.length < CODE_LENGTH) {
    code += ALPHABET.charAt(Number(rest % BigInt(ALPHABET.length)));
    rest /= BigInt(ALPHABET.length);
  }
  return code;
}

/** As a person types it: in any case, with spaces and hyphens. @returns undefined for what can be neither a link nor a code */
export function readSecret(given: string): string | undefined {
  const trimmed = given.trim();
  if (LINK_FORM.test(trimmed)) return trimmed;
  const code = trimmed.toUpperCase().replace(/[\s-]/g, '');
  return CODE_FORM.test(code) ? code : undefined;
}

export const hashOfSecret = (hasher: ClaimHasher, secret: string): Buffer =>
  hasher.hashSecret('invitation', secret);

/** What it may be stored under, while the key rotates. */
export const hashesOfSecret = (hasher: ClaimHasher, secret: string): readonly Buffer[] =>
  hasher.secretHashes('invitation', secret);

/** Of an address or a number on a list; others than those that name the streams of claims. */
export const invitedHash = (hasher: ClaimHasher, contact: Contact): Buffer =>
  hasher.hashSecret(...ofContact(contact));

export const invitedHashes = (hasher: ClaimHasher, contact: Contact): readonly Buffer[] =>
  hasher.secretHashes(...ofContact(contact));

const ofContact = ({ kind, value }: Contact) =>
  ['invited', kind, kind === 'email' ? emailKey(value) : value] as const;

import {
  type Contact,
  DomainError,
  emailKey,
  type InvitationKind,
  type InvitationMade,
  MAX_INVITATIONS,
  MAX_INVITATIONS_SHOWN,
} from '@nimo/domain';
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';

type SecretKind = 'LINK' | 'CODE';

/** Characters that cannot be confused in speech or handwriting: no 0 O Q, 1 I L, 2 Z, 5 S, 6 G, 8 B, U. */
const ALPHABET = 'ACDEFHJKMNPRTVWXY3479';
const CODE_LENGTH = 6;
/** Codes of earlier versions had eight characters and stay valid until they expire. */
const FORMER_CODE_LENGTH = 8;
const CODE_PATTERN = new RegExp(`^([${ALPHABET}]{${CODE_LENGTH}}|[${ALPHABET}]{${FORMER_CODE_LENGTH}})$`);
const LINK_PATTERN = /^[\w-]{43}$/;

/** Derived from the ID, the salt and the HMAC key: staff can display the secret again, but the database alone does not reveal it. */
const secretOf = (hasher: ClaimHasher, kind: SecretKind, id: string, salt: Buffer): string =>
  encodeSecret(kind, hasher.hashSecret(...purposeOf(kind, id, salt)));

/** Rederives the secret with the current or a previous key; undefined if its key is gone. */
const recoverSecret = (
  hasher: ClaimHasher,
  kind: SecretKind,
  { id, salt, hash }: { readonly id: string; readonly salt: Buffer; readonly hash: Buffer },
): string | undefined =>
  hasher
    .secretHashes(...purposeOf(kind, id, salt))
    .flatMap((bytes) =>
      [CODE_LENGTH, FORMER_CODE_LENGTH].map((codeLength) => encodeSecret(kind, bytes, codeLength)),
    )
    .find((secret) => hashesOfSecret(hasher, secret).some((known) => known.equals(hash)));

const purposeOf = (kind: SecretKind, id: string, salt: Buffer) =>
  [`invitation-${kind}`, id, salt.toString('hex')] as const;

function encodeSecret(kind: SecretKind, bytes: Buffer, codeLength = CODE_LENGTH): string {
  if (kind === 'LINK') return bytes.toString('base64url');
  // 256 bits make the modulo bias negligible.
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let code = '';
  while (code.length < codeLength) {
    code += ALPHABET.charAt(Number(rest % BigInt(ALPHABET.length)));
    rest /= BigInt(ALPHABET.length);
  }
  return code;
}

/** Accepts any case, spaces and hyphens. @returns undefined if it is neither a link secret nor a code */
function parseSecret(input: string): string | undefined {
  const trimmed = input.trim();
  if (LINK_PATTERN.test(trimmed)) return trimmed;
  const code = trimmed.toUpperCase().replace(/[\s-]/g, '');
  return CODE_PATTERN.test(code) ? code : undefined;
}

const hashOfSecret = (hasher: ClaimHasher, secret: string): Buffer => hasher.hashSecret('invitation', secret);

/** Hashes under all keys, for lookups during a key rotation. */
const hashesOfSecret = (hasher: ClaimHasher, secret: string): readonly Buffer[] =>
  hasher.secretHashes('invitation', secret);

/** Hash of a listed contact, distinct from the hash that names its claim stream. */
const invitedHash = (hasher: ClaimHasher, contact: Contact): Buffer =>
  hasher.hashSecret(...contactHashInput(contact));

export const invitedHashes = (hasher: ClaimHasher, contact: Contact): readonly Buffer[] =>
  hasher.secretHashes(...contactHashInput(contact));

const contactHashInput = ({ kind, value }: Contact) =>
  ['invited', kind, kind === 'email' ? emailKey(value) : value] as const;

export type InvitationState = 'ACTIVE' | 'EXPIRED' | 'USED_UP' | 'REVOKED';

export interface ListedInvitation {
  readonly _id: string;
  readonly kind: InvitationKind;
  readonly state: InvitationState;
  readonly rule: string | null;
  readonly uses: number | null;
  readonly used: number;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly madeBy: string | null;
  /** Null unless it is an active link or code. */
  readonly secret: string | null;
}

interface UsableInvitation {
  readonly id: string;
  readonly spaceId: string;
}

interface ListedRow extends Omit<ListedInvitation, 'secret'> {
  readonly salt: Buffer | null;
  readonly hash: Buffer | null;
}

const STATE = `case when i.revoked_at is not null then 'REVOKED' when i.expires_at <= now() then 'EXPIRED'
  when i.used >= i.uses then 'USED_UP' else 'ACTIVE' end`;
const LISTED = `select i.id as "_id", i.kind, ${STATE} as state, i.rule, i.uses, i.used, i.created_at as "createdAt",
    i.expires_at as "expiresAt", i.made_by as "madeBy", i.salt, i.secret_hash as hash
  from state.invitation i`;
const IS_ACTIVE = `i.revoked_at is null and (i.expires_at is null or i.expires_at > now())`;
const REFUSAL_CODES = {
  EXPIRED: 'INVITATION_EXPIRED',
  USED_UP: 'INVITATION_USED_UP',
  REVOKED: 'INVITATION_WITHDRAWN',
} as const;
/** With 10,000 codes, a new one collides with a probability of about 1 in 8,600. */
const MAX_SALT_ATTEMPTS = 5;

/** Current state of invitations in `state.invitation`. The log records who created, revoked and used them. */
@Injectable()
export class Invitations {
  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
  ) {}

  /** @throws DomainError TOO_MANY_INVITATIONS */
  async assertBelowLimit(spaceId: string): Promise<void> {
    const { rows } = await this.pool.query<{ n: number }>(
      `select count(*)::int as n from state.invitation i where i.space_id = $1 and ${IS_ACTIVE}`,
      [spaceId],
    );
    if ((rows[0]?.n ?? 0) >= MAX_INVITATIONS)
      throw new DomainError('TOO_MANY_INVITATIONS', { max: MAX_INVITATIONS });
  }

  /** Stores an invitation that is already in the log. Idempotent. */
  async add(
    made: InvitationMade['data'],
    madeBy: string | null,
    contacts: readonly Contact[],
  ): Promise<void> {
    const { invitationId: id, kind } = made;
    for (let tries = 0; tries < MAX_SALT_ATTEMPTS; tries += 1) {
      const salt = kind === 'LINK' || kind === 'CODE' ? randomBytes(16) : null;
      const hash =
        salt && isSecret(kind) ? hashOfSecret(this.hasher, secretOf(this.hasher, kind, id, salt)) : null;
      const { rows } = await this.pool.query(
        `with added as (
           insert into state.invitation (id, space_id, kind, made_by, salt, secret_hash, rule, uses, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning id),
         listed as (insert into state.invited_contact (invitation_id, hash) select id, unnest($10::bytea[]) from added)
         select id from added union all select id from state.invitation where id = $1`,
        [
          id,
          made.spaceId,
          kind,
          madeBy,
          salt,
          hash,
          made.rule,
          made.uses,
          made.expiresAt,
          contacts.map((contact) => invitedHash(this.hasher, contact)),
        ],
      );
      if (rows.length > 0) return;
    }
    throw new Error('could not find an unused invitation code');
  }

  /** Also deletes its contacts and group memberships. */
  async revoke(id: string): Promise<void> {
    await this.pool.query(
      `with gone as (delete from state.invited_contact where invitation_id = $1),
         matches as (delete from state.matched_group where invitation_id = $1)
       update state.invitation set revoked_at = coalesce(revoked_at, now()) where id = $1`,
      [id],
    );
  }

  /** Latest first. */
  async list(spaceId: string): Promise<readonly ListedInvitation[]> {
    const { rows } = await this.pool.query<ListedRow>(
      `${LISTED} where i.space_id = $1 order by i.created_at desc, i.id limit ${MAX_INVITATIONS_SHOWN}`,
      [spaceId],
    );
    return rows.map((row) => this.withSecret(row));
  }

  /** @throws DomainError INVITATION_UNKNOWN if the space has no class code with this ID */
  async classCode(spaceId: string, id: string): Promise<ListedInvitation> {
    const { rows } = await this.pool.query<ListedRow>(
      `${LISTED} where i.space_id = $1 and i.id = $2 and i.kind = 'CODE'`,
      [spaceId, id],
    );
    if (!rows[0]) throw new DomainError('INVITATION_UNKNOWN');
    return this.withSecret(rows[0]);
  }

  /** Ids of the students who used an invitation, latest first. */
  async usersOf(id: string): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ studentId: string }>(
      `select u.student_id as "studentId" from state.invitation_use u where u.invitation_id = $1
       order by u.used_at desc, u.student_id`,
      [id],
    );
    return rows.map(({ studentId }) => studentId);
  }

  private withSecret({ salt, hash, ...row }: ListedRow): ListedInvitation {
    return { ...row, secret: this.displaySecret(row, salt, hash) };
  }

  /** Null if the invitation is inactive or its key is gone. */
  private displaySecret(
    { _id, kind, state }: Pick<ListedInvitation, '_id' | 'kind' | 'state'>,
    salt: Buffer | null,
    hash: Buffer | null,
  ): string | null {
    if (state !== 'ACTIVE' || !salt || !hash || !isSecret(kind)) return null;
    return recoverSecret(this.hasher, kind, { id: _id, salt, hash }) ?? null;
  }

  /**
   * Students who have used it can reuse it until it expires, even if it is used up.
   * @param studentId null for a visitor
   * @throws DomainError INVITATION_UNKNOWN, INVITATION_EXPIRED, INVITATION_USED_UP, INVITATION_WITHDRAWN
   */
  async find(input: string, studentId: string | null): Promise<UsableInvitation> {
    const secret = parseSecret(input);
    if (secret === undefined) throw new DomainError('INVITATION_UNKNOWN');
    const { rows } = await this.pool.query<UsableInvitation & { state: InvitationState; own: boolean }>(
      `select i.id, i.space_id as "spaceId", ${STATE} as state,
         exists (select from state.invitation_use u where u.invitation_id = i.id and u.student_id = $2) as own
       from state.invitation i where i.secret_hash = any($1::bytea[])`,
      [hashesOfSecret(this.hasher, secret), studentId],
    );
    const [found] = rows;
    if (!found) throw new DomainError('INVITATION_UNKNOWN');
    const { id, spaceId, state, own } = found;
    if (state !== 'ACTIVE' && !(state === 'USED_UP' && own)) throw new DomainError(REFUSAL_CODES[state]);
    return { id, spaceId };
  }

  /**
   * Counts one use per student. Concurrent callers cannot exceed the limit.
   * @returns the invitation, and whether this call counted a use
   * @throws DomainError like `find`
   */
  async recordUse(input: string, studentId: string): Promise<UsableInvitation & { readonly isNew: boolean }> {
    const found = await this.find(input, studentId);
    const { rowCount } = await this.pool.query(
      `with open as (select i.id from state.invitation i where i.id = $1 and i.used < i.uses and ${IS_ACTIVE} for update),
       taken as (
         insert into state.invitation_use (invitation_id, student_id) select id, $2 from open
         on conflict do nothing returning invitation_id)
       update state.invitation i set used = i.used + 1 from taken where i.id = taken.invitation_id`,
      [found.id, studentId],
    );
    // Either used before or no longer available: `find` throws in the latter case.
    return rowCount === 1
      ? { ...found, isNew: true }
      : { ...(await this.find(input, studentId)), isNew: false };
  }

  /** Takes back a use that did not lead to a membership. */
  async undoUse(id: string, studentId: string): Promise<void> {
    await this.pool.query(
      `with back as (delete from state.invitation_use where invitation_id = $1 and student_id = $2 returning invitation_id)
       update state.invitation i set used = i.used - 1 from back where i.id = back.invitation_id`,
      [id, studentId],
    );
  }
}

const isSecret = (kind: InvitationKind): kind is 'LINK' | 'CODE' => kind === 'LINK' || kind === 'CODE';

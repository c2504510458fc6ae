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

/** Letters and digits that nobody takes for one another, read out or in handwriting: without 0 O Q, 1 I L, 2 Z, 5 S, 6 G, 8 B, U. */
const ALPHABET = 'ACDEFHJKMNPRTVWXY3479';
const CODE_LENGTH = 8;
const CODE_FORM = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`);
const LINK_FORM = /^[\w-]{43}$/;

/**
 * What opens an invitation, made out of its id, its salt and the key of the api: staff can read it again as long as it lasts, and whoever has
 * the database cannot.
 */
const secretOf = (hasher: ClaimHasher, kind: SecretKind, id: string, salt: Buffer): string =>
  readable(kind, hasher.hashSecret(...purposeOf(kind, id, salt)));

/** The one that the hash was made of, under the present key or a former one; undefined where that is gone. */
const secretBehind = (
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
function readSecret(given: string): string | undefined {
  const trimmed = given.trim();
  if (LINK_FORM.test(trimmed)) return trimmed;
  const code = trimmed.toUpperCase().replace(/[\s-]/g, '');
  return CODE_FORM.test(code) ? code : undefined;
}

const hashOfSecret = (hasher: ClaimHasher, secret: string): Buffer => hasher.hashSecret('invitation', secret);

/** What it may be stored under, while the key rotates. */
const hashesOfSecret = (hasher: ClaimHasher, secret: string): readonly Buffer[] =>
  hasher.secretHashes('invitation', secret);

/** Of an address or a number on a list; others than those that name the streams of claims. */
const invitedHash = (hasher: ClaimHasher, contact: Contact): Buffer =>
  hasher.hashSecret(...ofContact(contact));

export const invitedHashes = (hasher: ClaimHasher, contact: Contact): readonly Buffer[] =>
  hasher.secretHashes(...ofContact(contact));

const ofContact = ({ kind, value }: Contact) =>
  ['invited', kind, kind === 'email' ? emailKey(value) : value] as const;

export type InvitationStanding = 'ACTIVE' | 'EXPIRED' | 'USED_UP' | 'REVOKED';

export interface ListedInvitation {
  readonly _id: string;
  readonly kind: InvitationKind;
  readonly state: InvitationStanding;
  readonly rule: string | null;
  readonly uses: number | null;
  readonly used: number;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly madeBy: string | null;
  /** Of an active link or code. */
  readonly secret: string | null;
}

/** An invitation that may be used. */
interface FoundInvitation {
  readonly id: string;
  readonly spaceId: string;
}

interface ListedRow extends Omit<ListedInvitation, 'secret'> {
  readonly salt: Buffer | null;
  readonly hash: Buffer | null;
}

const STANDING = `case when i.revoked_at is not null then 'REVOKED' when i.expires_at <= now() then 'EXPIRED'
  when i.used >= i.uses then 'USED_UP' else 'ACTIVE' end`;
const LIVE = `i.revoked_at is null and (i.expires_at is null or i.expires_at > now())`;
const REFUSED = {
  EXPIRED: 'INVITATION_EXPIRED',
  USED_UP: 'INVITATION_USED_UP',
  REVOKED: 'INVITATION_WITHDRAWN',
} as const;
/** Two codes are the same once in some thirty thousand million. */
const SALTS_TRIED = 5;

/** Links, codes, lists and rules as they stand, in `state.invitation`; the log says who made and revoked them, and who came in by them. */
@Injectable()
export class Invitations {
  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
  ) {}

  /** @throws DomainError TOO_MANY_INVITATIONS */
  async requireRoom(spaceId: string): Promise<void> {
    const { rows } = await this.pool.query<{ n: number }>(
      `select count(*)::int as n from state.invitation i where i.space_id = $1 and ${LIVE}`,
      [spaceId],
    );
    if ((rows[0]?.n ?? 0) >= MAX_INVITATIONS)
      throw new DomainError('TOO_MANY_INVITATIONS', { max: MAX_INVITATIONS });
  }

  /** What the log has already; once, however often it is asked for. */
  async add(
    made: InvitationMade['data'],
    madeBy: string | null,
    contacts: readonly Contact[],
  ): Promise<void> {
    const { invitationId: id, kind } = made;
    for (let tries = 0; tries < SALTS_TRIED; tries += 1) {
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
    throw new Error('no code was free');
  }

  /** With it goes whose addresses were on it, and who carried its group. */
  async revoke(id: string): Promise<void> {
    await this.pool.query(
      `with gone as (delete from state.invited_contact where invitation_id = $1),
         carried as (delete from state.carried_group where invitation_id = $1)
       update state.invitation set revoked_at = coalesce(revoked_at, now()) where id = $1`,
      [id],
    );
  }

  /** The latest first. */
  async list(spaceId: string): Promise<readonly ListedInvitation[]> {
    const { rows } = await this.pool.query<ListedRow>(
      `select i.id as "_id", i.kind, ${STANDING} as state, i.rule, i.uses, i.used, i.created_at as "createdAt",
         i.expires_at as "expiresAt", i.made_by as "madeBy", i.salt, i.secret_hash as hash
       from state.invitation i where i.space_id = $1 order by i.created_at desc, i.id limit ${MAX_INVITATIONS_SHOWN}`,
      [spaceId],
    );
    return rows.map(({ salt, hash, ...row }) => ({ ...row, secret: this.shownSecret(row, salt, hash) }));
  }

  /** Null where it opens nothing any more, also because the key that it was made with is gone. */
  private shownSecret(
    { _id, kind, state }: Pick<ListedInvitation, '_id' | 'kind' | 'state'>,
    salt: Buffer | null,
    hash: Buffer | null,
  ): string | null {
    if (state !== 'ACTIVE' || !salt || !hash || !isSecret(kind)) return null;
    return secretBehind(this.hasher, kind, { id: _id, salt, hash }) ?? null;
  }

  /**
   * Who used it once may come back by it, as long as it lasts.
   * @throws DomainError INVITATION_UNKNOWN, INVITATION_EXPIRED, INVITATION_USED_UP, INVITATION_WITHDRAWN
   */
  async find(given: string, studentId: string): Promise<FoundInvitation> {
    const secret = readSecret(given);
    if (secret === undefined) throw new DomainError('INVITATION_UNKNOWN');
    const { rows } = await this.pool.query<FoundInvitation & { state: InvitationStanding; own: boolean }>(
      `select i.id, i.space_id as "spaceId", ${STANDING} as state,
         exists (select from state.invitation_use u where u.invitation_id = i.id and u.student_id = $2) as own
       from state.invitation i where i.secret_hash = any($1::bytea[])`,
      [hashesOfSecret(this.hasher, secret), studentId],
    );
    const [found] = rows;
    if (!found) throw new DomainError('INVITATION_UNKNOWN');
    const { id, spaceId, state, own } = found;
    if (state !== 'ACTIVE' && !(state === 'USED_UP' && own)) throw new DomainError(REFUSED[state]);
    return { id, spaceId };
  }

  /**
   * Counts one use of a student: of two who take the last one at once, one gets it.
   * @returns the invitation, and whether it was counted now
   * @throws DomainError as `find`
   */
  async take(given: string, studentId: string): Promise<FoundInvitation & { readonly isNew: boolean }> {
    const found = await this.find(given, studentId);
    const { rowCount } = await this.pool.query(
      `with open as (select i.id from state.invitation i where i.id = $1 and i.used < i.uses and ${LIVE} for update),
       taken as (
         insert into state.invitation_use (invitation_id, student_id) select id, $2 from open
         on conflict do nothing returning invitation_id)
       update state.invitation i set used = i.used + 1 from taken where i.id = taken.invitation_id`,
      [found.id, studentId],
    );
    // Taken before, or gone in between: which, is looked up again.
    return rowCount === 1
      ? { ...found, isNew: true }
      : { ...(await this.find(given, studentId)), isNew: false };
  }

  /** A use that let nobody in. */
  async giveBack(id: string, studentId: string): Promise<void> {
    await this.pool.query(
      `with back as (delete from state.invitation_use where invitation_id = $1 and student_id = $2 returning invitation_id)
       update state.invitation i set used = i.used - 1 from back where i.id = back.invitation_id`,
      [id, studentId],
    );
  }
}

const isSecret = (kind: InvitationKind): kind is 'LINK' | 'CODE' => kind === 'LINK' || kind === 'CODE';

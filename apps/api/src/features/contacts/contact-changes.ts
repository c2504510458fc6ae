import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  CONTACT_CODE_DIGITS,
  CONTACT_CODE_TTL_MINUTES,
  DomainError,
  type Contact,
  type ContactKind,
} from '@nimo/domain';
import { Pool } from 'pg';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import { type MasterKeySettings, decryptionKeys } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { securityLogCte, securityLogParams } from '../../platform/security-log/security-log.js';

export interface StartedChange {
  readonly id: string;
  /** Null if the account has no confirmed contact. */
  readonly ownCode: string | null;
  readonly newCode: string;
  readonly expiresAt: string;
}

export interface SubmittedCodes {
  readonly ownCode: string;
  readonly newCode: string;
}

interface ChangeRow {
  readonly kind: ContactKind;
  readonly sealed: string;
  readonly own_code_hash: Buffer | null;
  readonly new_code_hash: Buffer;
  readonly done_at: Date | null;
}

const generateCode = (): string =>
  String(randomInt(10 ** CONTACT_CODE_DIGITS)).padStart(CONTACT_CODE_DIGITS, '0');

/** Pending phone and email changes, in `state.contact_change`. A new one replaces the student's previous one of the same kind. */
@Injectable()
export class ContactChanges {
  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  async start(
    studentId: string,
    contact: Contact,
    { tries, needsOwnCode }: { readonly tries: number; readonly needsOwnCode: boolean },
  ): Promise<StartedChange> {
    const id = randomUUID();
    const codes = { ownCode: needsOwnCode ? generateCode() : null, newCode: generateCode() };
    const { rows } = await this.pool.query<{ expires_at: Date | string }>(
      `with started as (
         insert into state.contact_change (student_id, kind, id, sealed, own_code_hash, new_code_hash, tries, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 minute')
         on conflict (student_id, kind) do update set
           id = excluded.id, sealed = excluded.sealed, own_code_hash = excluded.own_code_hash,
           new_code_hash = excluded.new_code_hash, attempts = 0, tries = excluded.tries, done_at = null,
           expires_at = excluded.expires_at
         returning student_id, expires_at),
       ${securityLogCte('started', 9)}
       select expires_at from started`,
      [
        studentId,
        contact.kind,
        id,
        sealText(this.settings.masterKey, contact.value, sealContext(id)),
        codes.ownCode === null ? null : this.hashOf(id, 'own', codes.ownCode),
        this.hashOf(id, 'new', codes.newCode),
        tries,
        CONTACT_CODE_TTL_MINUTES,
        ...securityLogParams('CONTACT_CHANGE_ASKED'),
      ],
    );
    return { id, ...codes, expiresAt: new Date(rows[0]?.expires_at ?? 0).toISOString() };
  }

  /**
   * Checks the codes. Counts the attempt before checking, so that concurrent requests get no extra attempts. Correct codes stay valid
   * until they expire, so that an interrupted client can resend them.
   * @throws DomainError CONTACT_CHANGE_EXPIRED, OWN_CODE_WRONG, NEW_CODE_WRONG
   */
  async redeem(
    studentId: string,
    id: string,
    codes: SubmittedCodes,
  ): Promise<{ readonly contact: Contact; readonly isDone: boolean }> {
    const { rows } = await this.pool.query<ChangeRow>(
      `update state.contact_change set attempts = attempts + 1
       where id = $1 and student_id = $2 and expires_at > now() and attempts < tries
       returning kind, sealed, own_code_hash, new_code_hash, done_at`,
      [id, studentId],
    );
    const [row] = rows;
    if (!row) throw new DomainError('CONTACT_CHANGE_EXPIRED');
    const codeError = this.codeError(id, row, codes);
    if (codeError) throw new DomainError(codeError);
    const value = openText(decryptionKeys(this.settings), row.sealed, sealContext(id));
    return { contact: { kind: row.kind, value }, isDone: row.done_at !== null };
  }

  async complete(id: string): Promise<void> {
    await this.pool.query('update state.contact_change set done_at = now() where id = $1', [id]);
  }

  /** Revokes pending reset links and codes sent to the previous contact. */
  async revokePendingResets(studentId: string): Promise<void> {
    await this.pool.query(
      `with grants as (delete from state.phone_grant where student_id = $1 and used_by is null)
       delete from state.mailed_link where student_id = $1 and purpose = 'RESET_PASSWORD' and used_by is null`,
      [studentId],
    );
  }

  private codeError(
    id: string,
    { own_code_hash: own, new_code_hash: fresh }: ChangeRow,
    { ownCode, newCode: submitted }: SubmittedCodes,
  ): 'OWN_CODE_WRONG' | 'NEW_CODE_WRONG' | undefined {
    if (own && !this.matches(own, id, 'own', ownCode)) return 'OWN_CODE_WRONG';
    return this.matches(fresh, id, 'new', submitted) ? undefined : 'NEW_CODE_WRONG';
  }

  private matches(hash: Buffer, id: string, which: 'own' | 'new', code: string): boolean {
    return this.hasher
      .secretHashes('contact-change', id, which, code)
      .some((right) => timingSafeEqual(hash, right));
  }

  private hashOf(id: string, which: 'own' | 'new', code: string): Buffer {
    return this.hasher.hashSecret('contact-change', id, which, code);
  }
}

/** Contacts in the student's pending changes, which no event has. */
export async function pendingContacts(
  pool: Pool,
  settings: MasterKeySettings,
  studentId: string,
): Promise<readonly Contact[]> {
  const { rows } = await pool.query<Pick<ChangeRow, 'kind' | 'sealed'> & { readonly id: string }>(
    'select id, kind, sealed from state.contact_change where student_id = $1',
    [studentId],
  );
  return rows.map(({ id, kind, sealed }) => ({
    kind,
    value: openText(decryptionKeys(settings), sealed, sealContext(id)),
  }));
}

const sealContext = (id: string): string => `contact-change:${id}`;

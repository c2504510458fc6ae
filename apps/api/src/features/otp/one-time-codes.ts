import { registerEnumType } from '@nestjs/graphql';
import { randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OTP_DIGITS, OTP_TTL_MINUTES } from '@nimo/domain';
import { Pool } from 'pg';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import { securityLogCte, securityLogParams } from '../../platform/security-log/security-log.js';

export type OtpPurpose = 'SIGN_UP' | 'FORGOT_PASSWORD';

export const OtpPurposeEnum: { readonly [P in OtpPurpose]: P } = {
  SIGN_UP: 'SIGN_UP',
  FORGOT_PASSWORD: 'FORGOT_PASSWORD',
};
registerEnumType(OtpPurposeEnum, { name: 'OtpPurpose' });

/** Identifies a code: one per phone, purpose and holder. */
export interface CodeSlot {
  readonly phone: string;
  readonly purpose: OtpPurpose;
  /** Secret of the requester, or the client if there is none. */
  readonly holder: string;
}

interface NewCode {
  /** Attempts before the code is void. */
  readonly maxAttempts: number;
  /** Owner of the phone. */
  readonly studentId: string;
}

type HashedSlot = [phone: Buffer, purpose: string, holder: Buffer];

/**
 * Codes in `state.otp`, hashed with a key because four digits are easily enumerated. One per phone, purpose and holder: a new code replaces
 * the old one, and other holders' requests and guesses do not affect it.
 */
@Injectable()
export class OneTimeCodes {
  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
  ) {}

  async issue(slot: CodeSlot, { maxAttempts, studentId }: NewCode): Promise<string> {
    const [key, previous] = this.keysOf(slot);
    if (previous)
      await this.pool.query(
        'delete from state.otp where phone_hash = $1 and purpose = $2 and holder_hash = $3',
        previous,
      );
    const code = String(randomInt(10 ** OTP_DIGITS)).padStart(OTP_DIGITS, '0');
    await this.pool.query(
      `with made as (
         insert into state.otp (phone_hash, purpose, holder_hash, code_hash, attempts, tries, expires_at)
         values ($1, $2, $3, $4, 0, $5, now() + $6 * interval '1 minute')
         on conflict (phone_hash, purpose, holder_hash) do update set
           code_hash = excluded.code_hash, attempts = 0, tries = excluded.tries, expires_at = excluded.expires_at
         returning $7::text as student_id),
       ${securityLogCte('made', 8)}
       select from made`,
      [
        ...key,
        this.hasher.hashSecret('otp-code', slot.phone, slot.purpose, code),
        maxAttempts,
        OTP_TTL_MINUTES,
        studentId,
        ...securityLogParams('CODE_SENT'),
      ],
    );
    return code;
  }

  /** A code can be redeemed once. An attempt is counted before the code is compared, so concurrent guesses gain nothing. */
  async redeem(slot: CodeSlot, code: string): Promise<boolean> {
    for (const key of this.keysOf(slot)) if (await this.redeemUnder(key, slot, code)) return true;
    return false;
  }

  private async redeemUnder(key: HashedSlot, { phone, purpose }: CodeSlot, code: string): Promise<boolean> {
    const hashes = this.hasher.secretHashes('otp-code', phone, purpose, code);
    const attempted = await this.pool.query<{ code_hash: Buffer }>(
      `update state.otp set attempts = attempts + 1
       where phone_hash = $1 and purpose = $2 and holder_hash = $3 and expires_at > now() and attempts < tries
       returning code_hash`,
      key,
    );
    const expected = attempted.rows[0]?.code_hash;
    if (!expected || !hashes.some((hash) => timingSafeEqual(expected, hash))) return false;
    const redeemed = await this.pool.query(
      'delete from state.otp where phone_hash = $1 and purpose = $2 and holder_hash = $3 and code_hash = $4',
      [...key, expected],
    );
    if (redeemed.rowCount !== 1) return false;
    // Void codes that other holders requested.
    await this.pool.query('delete from state.otp where phone_hash = any($1) and purpose = $2', [
      this.hasher.secretHashes('otp-phone', phone),
      purpose,
    ]);
    return true;
  }

  /** Keys under the current secret and, during a rotation, the previous one: a code survives a change of the secret. */
  private keysOf({ phone, purpose, holder }: CodeSlot): readonly [HashedSlot, ...HashedSlot[]] {
    const previousPhone = this.hasher.hashSecretWithPreviousKey('otp-phone', phone);
    const previousHolder = this.hasher.hashSecretWithPreviousKey('otp-holder', holder);
    const key: HashedSlot = [
      this.hasher.hashSecret('otp-phone', phone),
      purpose,
      this.hasher.hashSecret('otp-holder', holder),
    ];
    return previousPhone && previousHolder ? [key, [previousPhone, purpose, previousHolder]] : [key];
  }
}

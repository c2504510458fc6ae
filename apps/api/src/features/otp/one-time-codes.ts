import { registerEnumType } from '@nestjs/graphql';
import { randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OTP_DIGITS, OTP_TTL_MINUTES } from '@nimo/domain';
import { Pool } from 'pg';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import { noted, noteOf } from '../../platform/security-log/security-log.js';

export type OtpPurpose = 'SIGN_UP' | 'FORGOT_PASSWORD';

export const OtpPurposeEnum: { readonly [P in OtpPurpose]: P } = {
  SIGN_UP: 'SIGN_UP',
  FORGOT_PASSWORD: 'FORGOT_PASSWORD',
};
registerEnumType(OtpPurposeEnum, { name: 'OtpPurpose' });

/** Which code is meant: that of a phone for a purpose, of whoever asked for it. */
export interface CodePlace {
  readonly phone: string;
  readonly purpose: OtpPurpose;
  /** A secret of whoever asked, or the client. */
  readonly holder: string;
}

interface NewCode {
  /** How many wrong ones it bears. */
  readonly tries: number;
  /** Whose phone it is. */
  readonly studentId: string;
}

type Key = [phone: Buffer, purpose: string, holder: Buffer];

/**
 * Codes in `state.otp`, hashed with a key, as four digits could be tried out. One a phone, purpose and holder: a new one ends the old, and what others ask
 * for and guess touches it not.
 */
@Injectable()
export class OneTimeCodes {
  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
  ) {}

  async make(place: CodePlace, { tries, studentId }: NewCode): Promise<string> {
    const [key, former] = this.keysOf(place);
    if (former)
      await this.pool.query(
        'delete from state.otp where phone_hash = $1 and purpose = $2 and holder_hash = $3',
        former,
      );
    const code = String(randomInt(10 ** OTP_DIGITS)).padStart(OTP_DIGITS, '0');
    await this.pool.query(
      `with made as (
         insert into state.otp (phone_hash, purpose, holder_hash, code_hash, attempts, tries, expires_at)
         values ($1, $2, $3, $4, 0, $5, now() + $6 * interval '1 minute')
         on conflict (phone_hash, purpose, holder_hash) do update set
           code_hash = excluded.code_hash, attempts = 0, tries = excluded.tries, expires_at = excluded.expires_at
         returning $7::text as student_id),
       ${noted('made', 8)}
       select from made`,
      [
        ...key,
        this.hasher.hashSecret('otp-code', place.phone, place.purpose, code),
        tries,
        OTP_TTL_MINUTES,
        studentId,
        ...noteOf('CODE_SENT'),
      ],
    );
    return code;
  }

  /** A right code is right once; a wrong one counts before it is looked at, so that many at once are not more tries. */
  async redeem(place: CodePlace, code: string): Promise<boolean> {
    for (const key of this.keysOf(place)) if (await this.redeemUnder(key, place, code)) return true;
    return false;
  }

  private async redeemUnder(key: Key, { phone, purpose }: CodePlace, code: string): Promise<boolean> {
    const right = this.hasher.secretHashes('otp-code', phone, purpose, code);
    const tried = await this.pool.query<{ code_hash: Buffer }>(
      `update state.otp set attempts = attempts + 1
       where phone_hash = $1 and purpose = $2 and holder_hash = $3 and expires_at > now() and attempts < tries
       returning code_hash`,
      key,
    );
    const expected = tried.rows[0]?.code_hash;
    if (!expected || !right.some((hash) => timingSafeEqual(expected, hash))) return false;
    const redeemed = await this.pool.query(
      'delete from state.otp where phone_hash = $1 and purpose = $2 and holder_hash = $3 and code_hash = $4',
      [...key, expected],
    );
    if (redeemed.rowCount !== 1) return false;
    // The owner is in: nobody goes on guessing at what others asked for.
    await this.pool.query('delete from state.otp where phone_hash = any($1) and purpose = $2', [
      this.hasher.secretHashes('otp-phone', phone),
      purpose,
    ]);
    return true;
  }

  /** Under the present key, and the former one while there is one: a code that was sent before a change of the key is good after it. */
  private keysOf({ phone, purpose, holder }: CodePlace): readonly [Key, ...Key[]] {
    const formerPhone = this.hasher.formerSecret('otp-phone', phone);
    const formerHolder = this.hasher.formerSecret('otp-holder', holder);
    const key: Key = [
      this.hasher.hashSecret('otp-phone', phone),
      purpose,
      this.hasher.hashSecret('otp-holder', holder),
    ];
    return formerPhone && formerHolder ? [key, [formerPhone, purpose, formerHolder]] : [key];
  }
}

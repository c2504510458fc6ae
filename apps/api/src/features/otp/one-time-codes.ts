import { randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OTP_DIGITS, OTP_MAX_ATTEMPTS, OTP_TTL_MINUTES } from '@nimo/domain';
import { Pool } from 'pg';
import { ClaimHasher } from '../../platform/personal-data/claim-hash.js';
import type { OtpPurpose } from './otp-purpose.js';

/** Codes in `state.otp`, hashed with a key, as four digits could be tried out. One a phone and purpose: a new one ends the old. */
@Injectable()
export class OneTimeCodes {
  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
  ) {}

  async make(phone: string, purpose: OtpPurpose): Promise<string> {
    const code = String(randomInt(10 ** OTP_DIGITS)).padStart(OTP_DIGITS, '0');
    await this.pool.query(
      `insert into state.otp (phone_hash, purpose, code_hash, attempts, expires_at)
       values ($1, $2, $3, 0, now() + $4 * interval '1 minute')
       on conflict (phone_hash, purpose) do update set
         code_hash = excluded.code_hash, attempts = 0, expires_at = excluded.expires_at`,
      [this.phoneHash(phone), purpose, this.codeHash(phone, purpose, code), OTP_TTL_MINUTES],
    );
    return code;
  }

  /** A right code is right once; a wrong one counts before it is looked at, so that many at once are not more tries. */
  async redeem(phone: string, purpose: OtpPurpose, code: string): Promise<boolean> {
    const tried = await this.pool.query<{ code_hash: Buffer }>(
      `update state.otp set attempts = attempts + 1
       where phone_hash = $1 and purpose = $2 and expires_at > now() and attempts < $3 returning code_hash`,
      [this.phoneHash(phone), purpose, OTP_MAX_ATTEMPTS],
    );
    const expected = tried.rows[0]?.code_hash;
    if (!expected || !timingSafeEqual(expected, this.codeHash(phone, purpose, code))) return false;
    const redeemed = await this.pool.query(
      'delete from state.otp where phone_hash = $1 and purpose = $2 and code_hash = $3',
      [this.phoneHash(phone), purpose, expected],
    );
    return redeemed.rowCount === 1;
  }

  private phoneHash(phone: string): Buffer {
    return this.hasher.hashSecret('otp-phone', phone);
  }

  private codeHash(phone: string, purpose: OtpPurpose, code: string): Buffer {
    return this.hasher.hashSecret('otp-code', phone, purpose, code);
  }
}

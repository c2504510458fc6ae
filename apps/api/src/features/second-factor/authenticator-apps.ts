import { Secret, TOTP } from 'otpauth';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import { Pool } from 'pg';
import { type MasterKeySettings, decryptionKeys } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { securityLogCte, securityLogParams } from '../../platform/security-log/security-log.js';
import { type Clock, CLOCK, SETTINGS } from '../../platform/config/tokens.js';
import { FactorCeremonies, type FactorHolder, SecondFactors, type Statements } from './second-factors.js';

const PERIOD_SECONDS = 30;
/** Accepts the previous and the next code too, to allow for clock drift. */
const WINDOW = 1;
const SECRET_BYTES = 20;

export const TOTP_CODE = /^\d{6}$/;

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer: 'Nimo',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });

const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The `otpauth://` URI for the QR code. */
const totpUri = (secret: string, userName: string): string => totpOf(secret, userName).toString();

/** @returns the counter the code belongs to, or undefined if it matches none within the window */
function periodOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta;
}

interface StartedTotp {
  readonly secret: string;
  readonly address: string;
}

/** TOTP factors (RFC 6238) in `state.totp_factor`: the sealed secret and the counter of the last accepted code. */
@Injectable()
export class AuthenticatorApps {
  constructor(
    private readonly pool: Pool,
    private readonly ceremonies: FactorCeremonies,
    private readonly factors: SecondFactors,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  async start(holder: FactorHolder, userName: string): Promise<StartedTotp> {
    const secret = newTotpSecret();
    await this.ceremonies.begin('set-up-totp', holder, secret);
    return { secret, address: totpUri(secret, userName) };
  }

  /** Confirms the new secret with its first code and replaces any previous one. Locked against a concurrent removal of all factors. */
  async finish(holder: FactorHolder, code: string): Promise<void> {
    const secret = await this.ceremonies.peek('set-up-totp', holder);
    if (secret === undefined) throw new DomainError('SECOND_FACTOR_EXPIRED');
    const period = periodOf(secret, code, this.clock());
    if (period === undefined) throw new DomainError('SECOND_FACTOR_CODE_WRONG');
    if ((await this.ceremonies.consume('set-up-totp', holder)) !== secret)
      throw new DomainError('SECOND_FACTOR_EXPIRED');
    const { studentId } = holder;
    const sealed = sealText(this.settings.masterKey, secret, sealContext(studentId));
    await this.factors.withLock(studentId, (db) =>
      db.query(
        `with added as (
           insert into state.totp_factor (student_id, sealed, last_period) values ($1, $2, $3)
           on conflict (student_id) do update set
             sealed = excluded.sealed, last_period = excluded.last_period, created_at = now(), name = null
           returning student_id),
         ${securityLogCte('added', 4)}
         select from added`,
        [studentId, sealed, period, ...securityLogParams('FACTOR_ADDED')],
      ),
    );
  }

  async has(studentId: string): Promise<boolean> {
    return (await this.find(studentId)) !== undefined;
  }

  async find(studentId: string): Promise<{ readonly name: string | null } | undefined> {
    const { rows } = await this.pool.query<{ name: string | null }>(
      'select name from state.totp_factor where student_id = $1',
      [studentId],
    );
    return rows[0];
  }

  /** @returns whether the student has one */
  async rename(studentId: string, name: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `with renamed as (update state.totp_factor set name = $2 where student_id = $1 returning student_id),
       ${securityLogCte('renamed', 3)}
       select from renamed`,
      [studentId, name, ...securityLogParams('FACTOR_RENAMED')],
    );
    return rowCount === 1;
  }

  /** @returns whether the code is correct and newer than the last accepted one. Of two concurrent attempts only one succeeds. */
  async verify(studentId: string, code: string): Promise<boolean> {
    // Retry once: a master key rotation may have resealed the secret in the meantime.
    const first = await this.tryVerify(studentId, code);
    return first === 'changed' ? (await this.tryVerify(studentId, code)) === 'taken' : first === 'taken';
  }

  private async tryVerify(studentId: string, code: string): Promise<'taken' | 'wrong' | 'changed'> {
    const { rows } = await this.pool.query<{ sealed: string }>(
      'select sealed from state.totp_factor where student_id = $1',
      [studentId],
    );
    const sealed = rows[0]?.sealed;
    if (sealed === undefined) return 'wrong';
    const secret = openText(decryptionKeys(this.settings), sealed, sealContext(studentId));
    const period = periodOf(secret, code, this.clock());
    if (period === undefined) return 'wrong';
    const { rowCount } = await this.pool.query(
      `with used as (
         update state.totp_factor set last_period = $2
         where student_id = $1 and last_period < $2 and sealed = $3 returning student_id),
       ${securityLogCte('used', 4)}
       select from used`,
      [studentId, period, sealed, ...securityLogParams('FACTOR_USED')],
    );
    return rowCount === 1 ? 'taken' : 'changed';
  }

  /** @returns whether the student had one */
  async remove(studentId: string, db: Statements = this.pool): Promise<boolean> {
    const { rowCount } = await db.query(
      `with removed as (delete from state.totp_factor where student_id = $1 returning student_id),
       ${securityLogCte('removed', 2)}
       select from removed`,
      [studentId, ...securityLogParams('FACTOR_REMOVED')],
    );
    return rowCount === 1;
  }
}

const sealContext = (studentId: string): string => `totp:${studentId}`;

import { Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import { LoginThrottle } from '../../platform/rate-limit/login-throttle.js';
import { SecurityLog } from '../../platform/security-log/security-log.js';
import { AuthenticatorApps, TOTP_CODE } from './authenticator-apps.js';
import type { FactorHolder } from './second-factors.js';
import { AccountMailJobs } from '../account-mail/account-mail.js';
import { Passkeys } from './passkeys.js';
import { RecoveryCodes } from './recovery-codes.js';
import { clientKey, type ClientKey } from '../../platform/callers/client-address.js';

/** A six-digit TOTP code, a recovery code, or a passkey assertion as JSON. */
export interface FactorProof {
  readonly code?: string | null | undefined;
  readonly passkey?: string | null | undefined;
}

/** Counts attempts across all addresses, so that changing address gains no extra tries. */
const ANY_CLIENT = clientKey('');

/** Verifies second factors of every kind. */
@Injectable()
export class FactorCheck {
  constructor(
    private readonly apps: AuthenticatorApps,
    private readonly passkeys: Passkeys,
    private readonly codes: RecoveryCodes,
    private readonly throttle: LoginThrottle,
    private readonly mails: AccountMailJobs,
    private readonly log: SecurityLog,
  ) {}

  /** @throws DomainError if the proof is wrong or reused, or TOO_MANY_REQUESTS while throttled */
  async verify(holder: FactorHolder, { code, passkey }: FactorProof, client: ClientKey): Promise<void> {
    const { studentId } = holder;
    await this.throttled(studentId, client, async () => {
      const taken =
        typeof passkey === 'string'
          ? this.passkeys.authenticate(holder, passkey)
          : this.verifyCode(studentId, (code ?? '').replace(/\s/g, ''));
      await taken.catch(async (error: unknown) => {
        if (error instanceof DomainError) await this.log.record(studentId, 'FACTOR_FAILED');
        throw error;
      });
    });
  }

  /** Counts the attempt before checking it, per account and address and per account alone. */
  async throttled(studentId: string, client: ClientKey, check: () => Promise<void>): Promise<void> {
    const tries = [
      [`factor:${studentId}`, client],
      [`factor-anywhere:${studentId}`, ANY_CLIENT],
    ] as const;
    for (const [account, from] of tries)
      if (!(await this.throttle.tryAttempt(account, from))) throw new DomainError('TOO_MANY_REQUESTS');
    await check();
    for (const [account, from] of tries) await this.throttle.recordSuccess(account, from);
  }

  private async verifyCode(studentId: string, code: string): Promise<void> {
    if (TOTP_CODE.test(code)) {
      if (!(await this.apps.verify(studentId, code))) throw new DomainError('SECOND_FACTOR_CODE_WRONG');
      return;
    }
    if (!(await this.codes.redeem(studentId, code))) throw new DomainError('SECOND_FACTOR_CODE_WRONG');
    const change = { kind: 'recovery-code', left: await this.codes.countLeft(studentId) } as const;
    await this.mails.add({ kind: 'second-factor', studentId, change });
  }
}

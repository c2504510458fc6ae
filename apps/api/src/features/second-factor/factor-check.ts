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

/** What somebody gives: six digits of an app, a recovery code, or what a passkey signed. */
export interface FactorProof {
  readonly code?: string | null | undefined;
  readonly passkey?: string | null | undefined;
}

/** Whatever the client: nobody gets more tries by coming from many addresses. */
const ANYWHERE = clientKey('');

/** The one place that takes a second factor. Six dependencies: each kind of it, and those who hear of it. */
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

  /** @throws DomainError unless the proof is right, new, and given after the wait that earlier tries earned */
  async take(holder: FactorHolder, { code, passkey }: FactorProof, client: ClientKey): Promise<void> {
    const { studentId } = holder;
    await this.limited(studentId, client, async () => {
      const taken =
        typeof passkey === 'string'
          ? this.passkeys.use(holder, passkey)
          : this.takeCode(studentId, (code ?? '').replace(/\s/g, ''));
      await taken.catch(async (error: unknown) => {
        if (error instanceof DomainError) await this.log.note(studentId, 'FACTOR_FAILED');
        throw error;
      });
    });
  }

  /** Tries count before they are looked at, of the account from this address and from everywhere. */
  async limited(studentId: string, client: ClientKey, check: () => Promise<void>): Promise<void> {
    const tries = [
      [`factor:${studentId}`, client],
      [`factor-anywhere:${studentId}`, ANYWHERE],
    ] as const;
    for (const [account, from] of tries)
      if (!(await this.throttle.begin(account, from))) throw new DomainError('TOO_MANY_REQUESTS');
    await check();
    for (const [account, from] of tries) await this.throttle.succeeded(account, from);
  }

  private async takeCode(studentId: string, code: string): Promise<void> {
    if (TOTP_CODE.test(code)) {
      if (!(await this.apps.take(studentId, code))) throw new DomainError('SECOND_FACTOR_CODE_WRONG');
      return;
    }
    if (!(await this.codes.take(studentId, code))) throw new DomainError('SECOND_FACTOR_CODE_WRONG');
    const change = { kind: 'recovery-code', left: await this.codes.left(studentId) } as const;
    await this.mails.add({ kind: 'second-factor', studentId, change });
  }
}

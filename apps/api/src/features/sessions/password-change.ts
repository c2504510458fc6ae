import { Injectable } from '@nestjs/common';
import { DomainError, normalisePhone, requireNewPassword, requirePassword } from '@nimo/domain';
import { Credentials } from '../../platform/auth/credentials.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { LoginThrottle } from '../../platform/rate-limit/login-throttle.js';
import { SecurityLog } from '../../platform/security-log/security-log.js';
import { PublicAddress } from '../../platform/web/public-address.js';
import { currentOrigin, type ClientKey } from '../../platform/callers/client-address.js';
import { AccountMailJobs } from '../account-mail/account-mail.js';
import { PhoneGrants } from '../otp/phone-grants.js';
import { ResetGuard } from '../second-factor/factor-reset.js';
import { Accounts } from '../accounts/accounts.js';

/** A password reset by phone. */
export interface PhoneReset {
  readonly grant: string;
  readonly phone: string | null;
  readonly password: string;
  readonly factorCode: string | null | undefined;
  readonly commandId: string;
  readonly client: ClientKey;
}

/** Changes passwords, with the old one or with a phone grant. */
@Injectable()
export class PasswordChange {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: Credentials,
    private readonly sessions: SessionStore,
    private readonly grants: PhoneGrants,
    private readonly throttle: LoginThrottle,
    private readonly guard: ResetGuard,
    private readonly mails: AccountMailJobs,
    private readonly publicAddress: PublicAddress,
    private readonly log: SecurityLog,
  ) {}

  /** Resets a forgotten password with a phone grant. @throws DomainError GRANT_INVALID */
  async withGrant({ grant, phone, password, factorCode, commandId, client }: PhoneReset): Promise<void> {
    requireNewPassword(password);
    const student =
      phone === null ? undefined : await this.accounts.find({ kind: 'phone', value: normalisePhone(phone) });
    if (!student?.registered) throw new DomainError('GRANT_INVALID');
    const { studentId } = student;
    await this.grants.use(grant, commandId, studentId, async () => {
      await this.guard.requireMayReset({ student, by: 'phone', factorCode, client });
      await this.replace(studentId, password);
      await this.mails.add({ kind: 'password-changed', studentId, origin: this.publicAddress.origin() });
    });
  }

  /**
   * Changes the password in the settings and ends every other session. The current one ends with the logout that follows, so that
   * the screen can still show the result. @throws DomainError OLD_PASSWORD_WRONG
   */
  async withOldPassword(
    { studentId, sessionId }: Pick<Viewer, 'studentId' | 'sessionId'>,
    oldPassword: string,
    password: string,
    client: ClientKey,
  ): Promise<void> {
    requirePassword(password);
    const account = `student:${studentId}`;
    if (!(await this.throttle.tryAttempt(account, client))) throw new DomainError('TOO_MANY_REQUESTS');
    if (!(await this.credentials.matches(studentId, oldPassword))) {
      await this.log.record(studentId, 'PASSWORD_CHECK_FAILED');
      throw new DomainError('OLD_PASSWORD_WRONG');
    }
    await this.throttle.recordSuccess(account, client);
    await this.credentials.set(studentId, password, 'PASSWORD_CHANGED');
    await this.sessions.endOthers(studentId, sessionId);
  }

  /** Also ends every session opened with the old password. */
  private async replace(studentId: string, password: string): Promise<void> {
    await this.credentials.set(studentId, password, 'PASSWORD_RESET');
    await this.sessions.endAll(studentId, currentOrigin());
  }
}

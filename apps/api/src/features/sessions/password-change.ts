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

/** A forgotten password, and what stands for it. */
export interface GrantedReset {
  readonly grant: string;
  readonly phone: string | null;
  readonly password: string;
  readonly factorCode: string | null | undefined;
  readonly commandId: string;
  readonly client: ClientKey;
}

/** More than five dependencies: whoever changes a password is asked for much, and others are told. */
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
    private readonly own: PublicAddress,
    private readonly log: SecurityLog,
  ) {}

  /** Forgotten: by the grant of the phone. @throws DomainError GRANT_INVALID */
  async byGrant({ grant, phone, password, factorCode, commandId, client }: GrantedReset): Promise<void> {
    requireNewPassword(password);
    const student =
      phone === null ? undefined : await this.accounts.find({ kind: 'phone', value: normalisePhone(phone) });
    if (!student?.registered) throw new DomainError('GRANT_INVALID');
    const { studentId } = student;
    await this.grants.use(grant, commandId, studentId, async () => {
      await this.guard.requireMayReset({ student, by: 'phone', factorCode, client });
      await this.replace(studentId, password);
      await this.mails.add({ kind: 'password-changed', studentId, origin: this.own.origin() });
    });
  }

  /**
   * In settings: by the old one. Ends every other session; the one that asks, which knew the old password, ends through the
   * log-out that follows, so that the screen can still say what happened. @throws DomainError OLD_PASSWORD_WRONG
   */
  async byOldPassword(
    { studentId, sessionId }: Pick<Viewer, 'studentId' | 'sessionId'>,
    oldPassword: string,
    password: string,
    client: ClientKey,
  ): Promise<void> {
    requirePassword(password);
    const account = `student:${studentId}`;
    if (!(await this.throttle.begin(account, client))) throw new DomainError('TOO_MANY_REQUESTS');
    if (!(await this.credentials.matches(studentId, oldPassword))) {
      await this.log.note(studentId, 'PASSWORD_CHECK_FAILED');
      throw new DomainError('OLD_PASSWORD_WRONG');
    }
    await this.throttle.succeeded(account, client);
    await this.credentials.set(studentId, password, 'PASSWORD_CHANGED');
    await this.sessions.endOthersOf(studentId, sessionId);
  }

  /** Whoever came in with the former password is out. */
  private async replace(studentId: string, password: string): Promise<void> {
    await this.credentials.set(studentId, password, 'PASSWORD_RESET');
    await this.sessions.endAllOf(studentId, currentOrigin());
  }
}

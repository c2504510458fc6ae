import { Injectable } from '@nestjs/common';
import { emailKey, isPhoneLogin, messageOf, normalisePhone, type DomainErrorCode } from '@nimo/domain';
import { Credentials } from '../../platform/auth/credentials.js';
import { LoginThrottle } from '../../platform/rate-limit/login-throttle.js';
import { SecurityLog } from '../../platform/security-log/security-log.js';
import { PendingRegistrations } from '../email-accounts/pending-registrations.js';
import { SignInDoor } from '../second-factor/sign-in-door.js';
import type { ClaimedValue } from '../accounts/claims.js';
import { SignInAccounts } from '../accounts/accounts.js';
import type { ClientKey } from '../../platform/callers/client-address.js';
import { LoginResult } from '../second-factor/second-factor.types.js';

export interface LoginAttempt {
  readonly login: string;
  readonly password: string;
  readonly rememberMe: boolean;
  readonly address: string;
  readonly client: ClientKey;
  readonly userAgent: string;
}

const refused = (
  code: DomainErrorCode,
  further: Partial<Pick<LoginResult, 'secondFactor' | 'confirmation'>> = {},
): LoginResult => ({
  accessToken: null,
  error: messageOf(code),
  rule: code,
  secondFactor: null,
  confirmation: null,
  ...further,
});

/** Digits only mean a phone and an @ an e-mail address: no user name looks like either. */
function claimedBy(login: string): ClaimedValue {
  if (isPhoneLogin(login)) return { kind: 'phone', value: normalisePhone(login) };
  return login.includes('@') ? { kind: 'email', value: emailKey(login) } : { kind: 'username', value: login };
}

/** Six dependencies: all that a name and a password may stand for meets here. */
@Injectable()
export class Login {
  constructor(
    private readonly accounts: SignInAccounts,
    private readonly credentials: Credentials,
    private readonly pending: PendingRegistrations,
    private readonly door: SignInDoor,
    private readonly throttle: LoginThrottle,
    private readonly log: SecurityLog,
  ) {}

  /** Never tells whether the name or the password was wrong, by its words or by its time. */
  async attempt({
    login,
    password,
    rememberMe,
    address,
    client,
    userAgent,
  }: LoginAttempt): Promise<LoginResult> {
    const claimed = claimedBy(login);
    const account = `${claimed.kind}:${claimed.value}`;
    if (!(await this.throttle.begin(account, client))) return refused('TOO_MANY_REQUESTS');
    const student = await this.accounts.find(claimed);
    const isRight = await this.credentials.matches(student?.studentId, password);
    if (!student?.registered || !isRight) {
      await this.log.note(student?.studentId, 'LOG_IN_FAILED');
      // Counts as a failed try all the same: anybody can register an address, and must not get fresh tries of its account by that.
      const confirmation = await this.pending.find(claimed, password);
      return confirmation === undefined
        ? refused('LOGIN_FAILED')
        : refused('EMAIL_UNCONFIRMED', { confirmation });
    }
    await this.throttle.succeeded(account, client);
    // Only whoever knows the password learns of the block.
    if (student.blocked) {
      await this.log.note(student.studentId, 'LOG_IN_FAILED');
      return refused('STUDENT_BLOCKED');
    }
    const options = { remember: rememberMe, address, userAgent };
    const admission = await this.door.admit(student.studentId, options);
    return admission.secondFactor
      ? refused('SECOND_FACTOR_REQUIRED', { secondFactor: admission.secondFactor })
      : { ...admission, error: null, rule: null, confirmation: null };
  }
}

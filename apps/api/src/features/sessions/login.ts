import { Injectable } from '@nestjs/common';
import { emailKey, isPhoneLogin, messageOf, normalisePhone, type DomainErrorCode } from '@nimo/domain';
import { Credentials } from '../../platform/auth/credentials.js';
import { LoginThrottle } from '../../platform/rate-limit/login-throttle.js';
import { SecurityLog } from '../../platform/security-log/security-log.js';
import { PendingRegistrations } from '../email-accounts/pending-registrations.js';
import { SignInFlow } from '../second-factor/sign-in-flow.js';
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
  extra: Partial<Pick<LoginResult, 'secondFactor' | 'confirmation'>> = {},
): LoginResult => ({
  accessToken: null,
  error: messageOf(code),
  rule: code,
  secondFactor: null,
  confirmation: null,
  ...extra,
});

/** All digits mean a phone number, an @ means an email address. User names never look like either. */
function claimedBy(login: string): ClaimedValue {
  if (isPhoneLogin(login)) return { kind: 'phone', value: normalisePhone(login) };
  return login.includes('@') ? { kind: 'email', value: emailKey(login) } : { kind: 'username', value: login };
}

/** Login with a user name, phone number or email address and a password. */
@Injectable()
export class Login {
  constructor(
    private readonly accounts: SignInAccounts,
    private readonly credentials: Credentials,
    private readonly pending: PendingRegistrations,
    private readonly flow: SignInFlow,
    private readonly throttle: LoginThrottle,
    private readonly log: SecurityLog,
  ) {}

  /** Never reveals whether the name or the password was wrong, neither by message nor by timing. */
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
    if (!(await this.throttle.tryAttempt(account, client))) return refused('TOO_MANY_REQUESTS');
    const student = await this.accounts.find(claimed);
    const isRight = await this.credentials.matches(student?.studentId, password);
    if (!student?.registered || !isRight) {
      await this.log.record(student?.studentId, 'LOG_IN_FAILED');
      // Still counts as a failed attempt: registering someone's address must not earn fresh tries at their account.
      const confirmation = await this.pending.find(claimed, password);
      return confirmation === undefined
        ? refused('LOGIN_FAILED')
        : refused('EMAIL_UNCONFIRMED', { confirmation });
    }
    await this.throttle.recordSuccess(account, client);
    // The block is revealed only to someone who knows the password.
    if (student.blocked) {
      await this.log.record(student.studentId, 'LOG_IN_FAILED');
      return refused('STUDENT_BLOCKED');
    }
    const options = { remember: rememberMe, address, userAgent };
    const outcome = await this.flow.signIn(student.studentId, options);
    return outcome.secondFactor
      ? refused('SECOND_FACTOR_REQUIRED', { secondFactor: outcome.secondFactor })
      : { ...outcome, error: null, rule: null, confirmation: null };
  }
}

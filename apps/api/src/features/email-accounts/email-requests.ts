import { Injectable } from '@nestjs/common';
import {
  DomainError,
  isOfficialUserName,
  requireEmail,
  requirePassword,
  requireUserName,
} from '@nimo/domain';
import { randomUUID } from 'node:crypto';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { assertNotBreached } from '../../platform/auth/credentials.js';
import { PublicAddress } from '../../platform/web/public-address.js';
import { currentOrigin, type ClientKey } from '../../platform/callers/client-address.js';
import { Accounts } from '../accounts/accounts.js';
import { AccountMailJobs, countMailTo } from '../account-mail/account-mail.js';
import { type PendingRegistration, PendingRegistrations } from './pending-registrations.js';

interface RegistrationInput {
  readonly email: string;
  readonly userName: string;
  readonly password: string;
  readonly client: ClientKey;
}

/** Registration and reset requests by email address. Never checks whether the address is registered. */
@Injectable()
export class EmailRequests {
  constructor(
    private readonly jobs: AccountMailJobs,
    private readonly accounts: Accounts,
    private readonly limiter: RateLimiter,
    private readonly own: PublicAddress,
    private readonly pending: PendingRegistrations,
  ) {}

  /** May reveal that a user name is taken, as `checkUserName` does. */
  async register({ email: rawEmail, userName, password, client }: RegistrationInput): Promise<void> {
    await this.limiter.use('mailsPerAddress', client);
    const email = requireEmail(rawEmail);
    requireUserName(userName);
    await assertNotBreached(requirePassword(password));
    if (isOfficialUserName(userName) || (await this.accounts.find({ kind: 'username', value: userName })))
      throw new DomainError('USERNAME_TAKEN');
    await countMailTo(this.limiter, email);
    const registration = { registrationId: randomUUID(), email, userName };
    await this.pending.save(registration, password);
    await this.mailLink(registration);
  }

  /** @param key from `PendingRegistrations.find` @returns false if already confirmed or expired */
  async sendAgain(key: string, client: ClientKey): Promise<boolean> {
    await this.limiter.use('mailsPerAddress', client);
    const registration = await this.pending.findByKey(key);
    if (!registration) return false;
    await countMailTo(this.limiter, registration.email);
    await this.mailLink(registration);
    return true;
  }

  async forgot({ email: rawEmail, client }: Pick<RegistrationInput, 'email' | 'client'>): Promise<void> {
    await this.limiter.use('mailsPerAddress', client);
    const email = requireEmail(rawEmail);
    await countMailTo(this.limiter, email);
    await this.jobs.add({
      kind: 'reset',
      email,
      origin: this.own.origin(),
      clientOrigin: currentOrigin(),
    });
  }

  private mailLink(registration: PendingRegistration): Promise<void> {
    return this.jobs.add({ kind: 'registration', ...registration, origin: this.own.origin() });
  }
}

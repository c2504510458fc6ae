import { Injectable } from '@nestjs/common';
import {
  DomainError,
  isOfficialUserName,
  mailboxKey,
  requireEmail,
  requirePassword,
  requireUserName,
} from '@nimo/domain';
import { randomUUID } from 'node:crypto';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { MAIL_SENDS } from '../../platform/rate-limit/limits.js';
import { requireUnbreached } from '../../platform/auth/credentials.js';
import { PublicAddress } from '../../platform/web/public-address.js';
import { currentOrigin, type ClientKey } from '../../platform/callers/client-address.js';
import { Accounts } from '../accounts/accounts.js';
import { AccountMailJobs } from '../account-mail/account-mail.js';
import { type PendingRegistration, PendingRegistrations } from '../account-mail/pending-registrations.js';

/** Counted for known and unknown addresses alike. */
@Injectable()
export class EmailLimits {
  constructor(private readonly limiter: RateLimiter) {}

  async useFor(client: ClientKey): Promise<void> {
    await this.limiter.use('mailsPerAddress', client);
  }

  async useOf(email: string): Promise<void> {
    // What is stored is a keyed hash (`HashedThrottles`).
    for (const limit of MAIL_SENDS) await this.limiter.useExactly(limit, mailboxKey(email));
  }
}

interface RegistrationInput {
  readonly email: string;
  readonly userName: string;
  readonly password: string;
  readonly client: ClientKey;
}

/** What anybody may ask for in the name of an address. Nothing here reads whether the address is known. */
@Injectable()
export class EmailRequests {
  constructor(
    private readonly jobs: AccountMailJobs,
    private readonly accounts: Accounts,
    private readonly limits: EmailLimits,
    private readonly own: PublicAddress,
    private readonly pending: PendingRegistrations,
  ) {}

  /** A user name that is taken may be told: `checkUserName` tells it, too. */
  async register({ email: given, userName, password, client }: RegistrationInput): Promise<void> {
    await this.limits.useFor(client);
    const email = requireEmail(given);
    requireUserName(userName);
    await requireUnbreached(requirePassword(password));
    if (isOfficialUserName(userName) || (await this.accounts.find({ kind: 'username', value: userName })))
      throw new DomainError('USERNAME_TAKEN');
    await this.limits.useOf(email);
    const registration = { registrationId: randomUUID(), email, userName };
    await this.pending.keep(registration, password);
    await this.mailLink(registration);
  }

  /** @param key of `PendingRegistrations.find` @returns false where it was confirmed, or its time is over */
  async sendAgain(key: string, client: ClientKey): Promise<boolean> {
    await this.limits.useFor(client);
    const registration = await this.pending.of(key);
    if (!registration) return false;
    await this.limits.useOf(registration.email);
    await this.mailLink(registration);
    return true;
  }

  async forgot({ email: given, client }: Pick<RegistrationInput, 'email' | 'client'>): Promise<void> {
    await this.limits.useFor(client);
    const email = requireEmail(given);
    await this.limits.useOf(email);
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

import { Injectable } from '@nestjs/common';
import {
  DomainError,
  isOfficialUserName,
  requireEmail,
  requirePassword,
  requireUserName,
} from '@nimo/domain';
import { requireUnbreached } from '../../platform/auth/breached-passwords.js';
import type { ClientKey } from '../../platform/rate-limit/client-key.js';
import { PublicAddress } from '../../platform/web/public-address.js';
import { whenceNow } from '../../platform/web/whence.js';
import { Accounts } from '../students/accounts.js';
import { AccountMailJobs } from './account-mail-jobs.js';
import { EmailLimits } from './email-limits.js';

export interface RegistrationInput {
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
  ) {}

  /** A user name that is taken may be told: `checkUserName` tells it, too. */
  async register({ email: given, userName, password, client }: RegistrationInput): Promise<void> {
    await this.limits.useFor(client);
    const email = requireEmail(given);
    requireUserName(userName);
    requireUnbreached(requirePassword(password));
    if (isOfficialUserName(userName) || (await this.accounts.find({ kind: 'username', value: userName })))
      throw new DomainError('USERNAME_TAKEN');
    await this.limits.useOf(email);
    await this.jobs.add({ kind: 'registration', email, userName, origin: this.own.origin() });
  }

  async forgot({ email: given, client }: Pick<RegistrationInput, 'email' | 'client'>): Promise<void> {
    await this.limits.useFor(client);
    const email = requireEmail(given);
    await this.limits.useOf(email);
    await this.jobs.add({ kind: 'reset', email, origin: this.own.origin(), whence: whenceNow() });
  }
}

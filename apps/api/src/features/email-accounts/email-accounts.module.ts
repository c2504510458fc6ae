import { Module } from '@nestjs/common';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountMailModule } from '../account-mail/account-mail.module.js';
import { RegisterByEmailHandler } from './commands/register-by-email.js';
import { EmailAccountsResolver } from './email-accounts.resolver.js';
import { EmailRequests } from './email-requests.js';
import { PendingRegistrations } from './pending-registrations.js';

/** Registration and password reset by email. */
@Module({
  imports: [AccountsModule, AccountMailModule, SecondFactorModule],
  providers: [EmailAccountsResolver, EmailRequests, PendingRegistrations, RegisterByEmailHandler],
  exports: [PendingRegistrations],
})
export class EmailAccountsModule {}

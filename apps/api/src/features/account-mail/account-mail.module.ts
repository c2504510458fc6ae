import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountMail, AccountMailJobs } from './account-mail.js';
import { FactorResetReactor } from './factor-reset.reactor.js';
import { MailedLinks } from './mailed-links.js';
import { PendingRegistrations } from './pending-registrations.js';

/** The mails and their links, for the api that asks for them and the worker that sends them. */
@Module({
  imports: [AccountsModule],
  providers: [AccountMailJobs, AccountMail, MailedLinks, PendingRegistrations, FactorResetReactor],
  exports: [AccountMailJobs, AccountMail, MailedLinks, PendingRegistrations, FactorResetReactor],
})
export class AccountMailModule {}

import { Module } from '@nestjs/common';
import { AccountsModule } from '../students/accounts.module.js';
import { AccountMailJobs } from './account-mail-jobs.js';
import { AccountMail } from './account-mail.js';
import { FactorResetReactor } from './factor-reset.reactor.js';
import { MailedLinks } from './mailed-links.js';

/** The mails and their links, for the api that asks for them and the worker that sends them. */
@Module({
  imports: [AccountsModule],
  providers: [AccountMailJobs, AccountMail, MailedLinks, FactorResetReactor],
  exports: [AccountMailJobs, AccountMail, MailedLinks, FactorResetReactor],
})
export class AccountMailModule {}

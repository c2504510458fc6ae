import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountMail, AccountMailJobs } from './account-mail.js';
import { MailedLinks } from './mailed-links.js';

/** The mails and their links, for the api that asks for them and the worker that sends them. */
@Module({
  imports: [AccountsModule],
  providers: [AccountMailJobs, AccountMail, MailedLinks],
  exports: [AccountMailJobs, AccountMail, MailedLinks],
})
export class AccountMailModule {}

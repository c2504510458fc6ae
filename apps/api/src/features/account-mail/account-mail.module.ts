import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountMail, AccountMailJobs } from './account-mail.js';
import { MailedLinks } from './mailed-links.js';

/** Account emails and their links. The API queues them; the worker sends them. */
@Module({
  imports: [AccountsModule],
  providers: [AccountMailJobs, AccountMail, MailedLinks],
  exports: [AccountMailJobs, AccountMail, MailedLinks],
})
export class AccountMailModule {}

import { Module } from '@nestjs/common';
import { AccountMailModule } from '../account-mail/account-mail.module.js';
import { OtpModule } from '../otp/otp.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ChangeContactHandler } from './commands/change-contact.js';
import { ContactChangeStart } from './contact-change-start.js';
import { ContactChanges } from './contact-changes.js';
import { ContactChangesResolver } from './contact-changes.resolver.js';

/** Changes of one’s own phone and email address. */
@Module({
  imports: [AccountsModule, AccountMailModule, OtpModule, SecondFactorModule],
  providers: [ContactChangesResolver, ContactChangeStart, ContactChanges, ChangeContactHandler],
})
export class ContactsModule {}

import { Module } from '@nestjs/common';
import { AccountMailModule } from '../account-mail/account-mail.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AnswerAsGuardianHandler, AskGuardianHandler } from './commands/ask-guardian.js';
import { ForgetAgeHandler, StateAgeHandler } from './commands/state-age.js';
import { GuardianRequests, GuardianLinks } from './guardian-links.js';
import { GuardianConsentsResolver } from './guardian-consents.resolver.js';
import { GuardiansResolver } from './guardians.resolver.js';

/** Minimum ages of spaces, and consent by guardians. */
@Module({
  imports: [AccountsModule, AccountMailModule],
  providers: [
    GuardiansResolver,
    GuardianConsentsResolver,
    GuardianRequests,
    GuardianLinks,
    StateAgeHandler,
    ForgetAgeHandler,
    AskGuardianHandler,
    AnswerAsGuardianHandler,
  ],
})
export class GuardiansModule {}

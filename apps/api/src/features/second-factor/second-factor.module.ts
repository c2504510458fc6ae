import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ResetSecondFactorHandler } from './commands/reset-second-factor.js';
import { FactorCeremonies, SecondFactors } from './second-factors.js';
import { StaffActionsModule } from '../staff-actions/staff-actions.module.js';
import { AccountMailModule } from '../account-mail/account-mail.module.js';
import { AuthenticatorApps } from './authenticator-apps.js';
import { FactorCheck } from './factor-check.js';
import { FactorOverview, SecondFactorResolver } from './second-factor.resolver.js';
import { FactorResetResolver, ManagedFactorResolver, ResetGuard } from './factor-reset.js';
import { FactorSetUp } from './factor-set-up.js';
import { Passkeys, PasskeyStore } from './passkeys.js';
import { RecoveryCodes } from './recovery-codes.js';
import { SecondFactorSignInResolver, SignInFlow } from './sign-in-flow.js';

/** The part that the command line shares: resetting a second factor. */
@Module({ providers: [SecondFactors, ResetSecondFactorHandler], exports: [SecondFactors] })
export class FactorsModule {}

@Module({
  imports: [AccountsModule, AccountMailModule, StaffActionsModule, FactorsModule],
  providers: [
    SecondFactorResolver,
    SecondFactorSignInResolver,
    FactorResetResolver,
    ManagedFactorResolver,
    AuthenticatorApps,
    FactorCeremonies,
    FactorCheck,
    FactorOverview,
    FactorSetUp,
    PasskeyStore,
    Passkeys,
    RecoveryCodes,
    ResetGuard,
    SignInFlow,
  ],
  exports: [SignInFlow, ResetGuard, FactorSetUp],
})
export class SecondFactorModule {}

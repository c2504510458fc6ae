import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.js';
import { AccountMailModule } from '../email-accounts/account-mail.module.js';
import { AccountsModule } from '../students/accounts.module.js';
import { AuthenticatorApps } from './authenticator-apps.js';
import { FactorCeremonies } from './factor-ceremonies.js';
import { FactorCheck } from './factor-check.js';
import { FactorMail } from './factor-mail.js';
import { FactorOverview } from './factor-overview.js';
import { FactorResetResolver } from './factor-reset.resolver.js';
import { FactorSetUp } from './factor-set-up.js';
import { FactorsModule } from './factors.module.js';
import { ManagedFactorResolver } from './managed-factor.resolver.js';
import { PasskeyStore } from './passkey-store.js';
import { Passkeys } from './passkeys.js';
import { RecoveryCodes } from './recovery-codes.js';
import { ResetGuard } from './reset-guard.js';
import { SecondFactorSignInResolver } from './second-factor-sign-in.resolver.js';
import { SecondFactorResolver } from './second-factor.resolver.js';
import { SignInDoor } from './sign-in-door.js';

@Module({
  imports: [AccountsModule, AccountMailModule, ActsModule, FactorsModule],
  providers: [
    SecondFactorResolver,
    SecondFactorSignInResolver,
    FactorResetResolver,
    ManagedFactorResolver,
    AuthenticatorApps,
    FactorCeremonies,
    FactorCheck,
    FactorMail,
    FactorOverview,
    FactorSetUp,
    PasskeyStore,
    Passkeys,
    RecoveryCodes,
    ResetGuard,
    SignInDoor,
  ],
  exports: [SignInDoor, ResetGuard, FactorSetUp],
})
export class SecondFactorModule {}

import { Module } from '@nestjs/common';
import { InvitationsCoreModule } from '../invitations/invitations.module.js';
import { OtpModule } from '../otp/otp.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallbackController, ProviderSignIn } from './provider-sign-in.js';
import { SignUpByProviderHandler } from './commands/sign-up-by-provider.js';
import { OpenId } from './open-id.js';
import { SignInAttempts } from './sign-in-attempts.js';
import { SignInResolver } from './sign-in.resolver.js';

/** Sign-in with OpenID Connect. */
@Module({
  controllers: [CallbackController],
  imports: [AccountsModule, InvitationsCoreModule, OtpModule, SecondFactorModule],
  providers: [SignInResolver, OpenId, ProviderSignIn, SignInAttempts, SignUpByProviderHandler],
})
export class SignInModule {}

import { Module } from '@nestjs/common';
import { AccountMailModule } from '../account-mail/account-mail.module.js';
import { EmailAccountsModule } from '../email-accounts/email-accounts.module.js';
import { OtpModule } from '../otp/otp.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { Login } from './login.js';
import { OwnSessionsResolver } from './own-sessions.resolver.js';
import { PasswordChange } from './password-change.js';
import { SessionsResolver } from './sessions.resolver.js';

@Module({
  imports: [AccountMailModule, AccountsModule, EmailAccountsModule, OtpModule, SecondFactorModule],
  providers: [SessionsResolver, OwnSessionsResolver, Login, PasswordChange],
})
export class SessionsModule {}

import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { OneTimeCodes } from './one-time-codes.js';
import { SendOtpHandler } from './commands/send-otp.js';
import { VerifyPhoneHandler } from './commands/verify-phone.js';
import { GuessLimits, SignedInClients, SendLimits, CodeVerifier } from './code-limits.js';
import { OtpResolver } from './otp.resolver.js';
import { PhoneGrants } from './phone-grants.js';
import { SendChallenges } from './send-challenges.js';

@Module({
  imports: [AccountsModule],
  providers: [
    OtpResolver,
    SendOtpHandler,
    VerifyPhoneHandler,
    CodeVerifier,
    GuessLimits,
    OneTimeCodes,
    SignedInClients,
    PhoneGrants,
    SendChallenges,
    SendLimits,
  ],
  exports: [PhoneGrants, SendLimits],
})
export class OtpModule {}

import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CodeChecks } from './code-checks.js';
import { SendOtpHandler } from './commands/send-otp.js';
import { GuessLimits } from './guess-limits.js';
import { OneTimeCodes } from './one-time-codes.js';
import { OtpResolver } from './otp.resolver.js';
import { OwnClients } from './own-clients.js';
import { PhoneGrants } from './phone-grants.js';
import { SendChallenges } from './send-challenges.js';
import { SendLimits } from './send-limits.js';

@Module({
  imports: [AccountsModule],
  providers: [
    OtpResolver,
    SendOtpHandler,
    CodeChecks,
    GuessLimits,
    OneTimeCodes,
    OwnClients,
    PhoneGrants,
    SendChallenges,
    SendLimits,
  ],
  exports: [PhoneGrants, SendLimits],
})
export class OtpModule {}

import { Module } from '@nestjs/common';
import { AccountsModule } from '../students/accounts.module.js';
import { SendOtpHandler } from './commands/send-otp.js';
import { OneTimeCodes } from './one-time-codes.js';
import { OtpResolver } from './otp.resolver.js';
import { PhoneGrants } from './phone-grants.js';

@Module({
  imports: [AccountsModule],
  providers: [OtpResolver, SendOtpHandler, OneTimeCodes, PhoneGrants],
  exports: [PhoneGrants],
})
export class OtpModule {}

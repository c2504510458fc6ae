import { randomUUID } from 'node:crypto';
import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError, normalisePhone, OTP_TTL_MINUTES, requirePhone, requireSignUpPhone } from '@nimo/domain';
import { SmsJobs } from '../../../adapters/sms/sms-jobs.js';
import type { ClientKey } from '../../../platform/rate-limit/client-key.js';
import { OTP_SENDS } from '../../../platform/rate-limit/limits.js';
import { RateLimiter } from '../../../platform/rate-limit/rate-limiter.js';
import { Accounts } from '../../students/accounts.js';
import { OneTimeCodes } from '../one-time-codes.js';
import type { OtpPurpose } from '../otp-purpose.js';

/** Sends a one-time code. Nothing of it is in the log: codes are ordinary rows. */
export class SendOtp extends Command<void> {
  constructor(
    readonly phone: string,
    readonly purpose: OtpPurpose,
    readonly client: ClientKey,
  ) {
    super();
  }
}

@CommandHandler(SendOtp)
export class SendOtpHandler implements ICommandHandler<SendOtp> {
  constructor(
    private readonly accounts: Accounts,
    private readonly codes: OneTimeCodes,
    private readonly limiter: RateLimiter,
    private readonly sms: SmsJobs,
  ) {}

  async execute({ phone: given, purpose, client }: SendOtp): Promise<void> {
    await this.limiter.use('otpSendsPerAddress', client);
    const phone = purpose === 'SIGN_UP' ? requireSignUpPhone(given) : normalisePhone(requirePhone(given));
    await this.assertMaySend(phone, purpose);
    for (const limit of OTP_SENDS) await this.limiter.useExactly(limit, phone);
    const code = await this.codes.make(phone, purpose);
    const text = `${code} is your Nimo code. It is valid for ${OTP_TTL_MINUTES} minutes.`;
    await this.sms.send({ phone, text }, randomUUID());
  }

  private async assertMaySend(phone: string, purpose: OtpPurpose): Promise<void> {
    const student = await this.accounts.find({ kind: 'phone', value: phone });
    const isRegistered = student?.registered ?? false;
    if (purpose === 'SIGN_UP' && isRegistered) throw new DomainError('USER_EXISTS');
    if (!student || (purpose === 'FORGOT_PASSWORD' && !isRegistered)) {
      throw new DomainError('PHONE_UNKNOWN', { phone });
    }
  }
}

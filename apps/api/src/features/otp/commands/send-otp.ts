import { randomUUID } from 'node:crypto';
import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  DomainError,
  normalisePhone,
  OTP_TTL_MINUTES,
  requirePhone,
  requireSignUpPhone,
  type Student,
} from '@nimo/domain';
import { SmsJobs } from '../../../platform/adapters/sms/sms-sender.js';
import { RateLimiter } from '../../../platform/rate-limit/rate-limiter.js';
import { Accounts } from '../../accounts/accounts.js';
import { smsText } from '../../account-mail/message-texts.js';
import { OneTimeCodes, type OtpPurpose } from '../one-time-codes.js';
import { SendLimits } from '../code-limits.js';
import { type ClientKey, currentLanguage } from '../../../platform/callers/client-address.js';

export interface OtpRequest {
  readonly phone: string;
  readonly purpose: OtpPurpose;
  readonly client: ClientKey;
  /** A secret of whoever asks, which the code is bound to. */
  readonly requestKey: string | null;
  readonly proof: string | null;
}

/** Sends a one-time code. Nothing of it is in the log: codes are ordinary rows. */
export class SendOtp extends Command<void> {
  constructor(readonly request: OtpRequest) {
    super();
  }
}

@CommandHandler(SendOtp)
export class SendOtpHandler implements ICommandHandler<SendOtp> {
  constructor(
    private readonly accounts: Accounts,
    private readonly codes: OneTimeCodes,
    private readonly limiter: RateLimiter,
    private readonly limits: SendLimits,
    private readonly sms: SmsJobs,
  ) {}

  async execute({ request: { phone: given, purpose, client, requestKey, proof } }: SendOtp): Promise<void> {
    await this.limiter.use('lookUpsPerAddress', client);
    const phone = purpose === 'SIGN_UP' ? requireSignUpPhone(given) : normalisePhone(requirePhone(given));
    const student = await this.accounts.find({ kind: 'phone', value: phone });
    // Before anything is told of the phone: an answer counts as a code does.
    const tries = await this.limits.take({ phone, studentId: student?.studentId, client, proof });
    const { studentId } = recipientOf(student, phone, purpose);
    const code = await this.codes.make(
      { phone, purpose, holder: requestKey ?? client },
      { tries, studentId },
    );
    const duration = { unit: 'minutes', count: OTP_TTL_MINUTES } as const;
    const text = smsText(currentLanguage() ?? 'en', 'code', { code, duration });
    await this.sms.send({ phone, text }, randomUUID());
  }
}

function recipientOf(student: Student | undefined, phone: string, purpose: OtpPurpose): Student {
  const isRegistered = student?.registered ?? false;
  if (purpose === 'SIGN_UP' && isRegistered) throw new DomainError('USER_EXISTS');
  if (!student || (purpose === 'FORGOT_PASSWORD' && !isRegistered))
    throw new DomainError('PHONE_UNKNOWN', { phone });
  return student;
}

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
import { smsText } from '../../../platform/texts/texts.js';
import { OneTimeCodes, type OtpPurpose } from '../one-time-codes.js';
import { SendLimits } from '../code-limits.js';
import { type ClientKey, currentLanguage } from '../../../platform/callers/client-address.js';

export interface OtpRequest {
  readonly phone: string;
  readonly purpose: OtpPurpose;
  readonly client: ClientKey;
  /** Secret of the requester that the code is bound to. */
  readonly requestKey: string | null;
  readonly proof: string | null;
}

/** Sends a one-time code. Codes are table rows, not events. */
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

  async execute({
    request: { phone: phoneInput, purpose, client, requestKey, proof },
  }: SendOtp): Promise<void> {
    await this.limiter.use('lookUpsPerAddress', client);
    const phone =
      purpose === 'SIGN_UP' ? requireSignUpPhone(phoneInput) : normalisePhone(requirePhone(phoneInput));
    const student = await this.accounts.find({ kind: 'phone', value: phone });
    // Taken before any reply reveals whether the phone is registered: such a reply counts as a code sent.
    const maxAttempts = await this.limits.take({ phone, studentId: student?.studentId, client, proof });
    const { studentId } = recipientOf(student, phone, purpose);
    const code = await this.codes.issue(
      { phone, purpose, holder: requestKey ?? client },
      { maxAttempts, studentId },
    );
    const duration = { unit: 'minutes', count: OTP_TTL_MINUTES } as const;
    const text = smsText(currentLanguage(), 'code', { code, duration });
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

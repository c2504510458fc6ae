import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { requireOtpShape, requirePhone, requireRecoveryOtpShape } from '@nimo/domain';
import { Public } from '../../platform/auth/access.js';
import { commandBy } from '../../platform/commands/command-context.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { PhoneScalar } from '../../platform/graphql/scalars.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { FlagResult } from '../sessions/login-result.type.js';
import { Accounts } from '../students/accounts.js';
import { VerifyPhone } from '../students/commands/verify-phone.js';
import { unregistered } from '../students/student-state.js';
import { SendOtp } from './commands/send-otp.js';
import { OneTimeCodes } from './one-time-codes.js';
import { OtpPurposeEnum, type OtpPurpose } from './otp-purpose.js';
import { PhoneGrants } from './phone-grants.js';
import { VerifyOtpResult } from './verify-otp-result.type.js';

const REFUSED: VerifyOtpResult = { flag: 0, id: null, phone: null, grant: null };

@Resolver()
export class OtpResolver {
  constructor(
    private readonly commands: CommandBus,
    private readonly codes: OneTimeCodes,
    private readonly grants: PhoneGrants,
    private readonly accounts: Accounts,
  ) {}

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => FlagResult, { description: '`purpose` is SIGN_UP (default) or FORGOT_PASSWORD.' })
  async sendOTP(
    @Context() { client }: RequestContext,
    @Args('phone', { type: () => PhoneScalar }) phone: string,
    @Args('purpose', { type: () => OtpPurposeEnum, nullable: true, defaultValue: 'SIGN_UP' })
    purpose: OtpPurpose | null,
  ): Promise<FlagResult> {
    await this.commands.execute(new SendOtp(phone, purpose ?? 'SIGN_UP', client));
    return { flag: 1 };
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => VerifyOtpResult)
  async verifyOTP(
    @Context() request: RequestContext,
    @Args('phone', { type: () => PhoneScalar }) given: string,
    @Args('verificationCode', { type: () => String }) code: string,
    @Args('purpose', { type: () => OtpPurposeEnum, nullable: true, defaultValue: 'SIGN_UP' })
    purpose: OtpPurpose | null,
  ): Promise<VerifyOtpResult> {
    const phone = requirePhone(given);
    const requireShape = purpose === 'FORGOT_PASSWORD' ? requireRecoveryOtpShape : requireOtpShape;
    const isRight = await this.codes.redeem(phone, purpose ?? 'SIGN_UP', requireShape(code));
    const student = isRight ? await this.accounts.find({ kind: 'phone', value: phone }) : undefined;
    if (!student) return REFUSED;
    const { studentId } = student;
    await this.commands.execute(new VerifyPhone(commandBy(request, 'verifyOTP', unregistered(studentId))));
    return { flag: 1, id: studentId, phone, grant: await this.grants.give(studentId) };
  }
}

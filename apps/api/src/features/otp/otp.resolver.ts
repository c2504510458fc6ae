import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, Mutation, Resolver, Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { requireOtpShape, requirePhone, requireRecoveryOtpShape } from '@nimo/domain';
import { Public } from '../../platform/auth/access.js';
import { commandContextFor, unregisteredStudent } from '../../platform/commands/command-context.js';
import { refusalOf, FlagResult } from '../../platform/errors/refusal.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { PhoneScalar } from '../../platform/graphql/scalars.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { VerifyPhone } from './commands/verify-phone.js';
import { type OtpPurpose, OtpPurposeEnum } from './one-time-codes.js';
import { SendOtp } from './commands/send-otp.js';
import { PhoneGrants } from './phone-grants.js';
import { SendChallenge, SendChallenges } from './send-challenges.js';
import { CodeVerifier } from './code-limits.js';

@ObjectType()
class VerifyOtpResult {
  @Field(() => Int) readonly flag!: number;
  @Field(() => ID, { nullable: true }) readonly id!: string | null;
  @Field(() => PhoneScalar, { nullable: true }) readonly phone!: string | null;
  @Field(() => String, { nullable: true }) readonly grant!: string | null;
}

const REQUEST_KEY = {
  type: () => String,
  nullable: true,
  description:
    'Random text chosen by the client, the same for sending and verifying. No one else can replace or use up the code. Defaults to the client address.',
};
const NOT_VERIFIED: VerifyOtpResult = { flag: 0, id: null, phone: null, grant: null };

@Resolver()
export class OtpResolver {
  constructor(
    private readonly commands: CommandBus,
    private readonly verifier: CodeVerifier,
    private readonly grants: PhoneGrants,
    private readonly challenges: SendChallenges,
    private readonly limiter: RateLimiter,
  ) {}

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => FlagResult, {
    description:
      '`purpose` is SIGN_UP (default) or FORGOT_PASSWORD. On the rule CHALLENGE_REQUIRED, send a `proof` (see createSendChallenge). Flag 0: the phone is already registered or unknown; `refusal` says which.',
  })
  async sendOTP(
    @Context() { client }: RequestContext,
    @Args('phone', { type: () => PhoneScalar }) phone: string,
    @Args('purpose', { type: () => OtpPurposeEnum, nullable: true, defaultValue: 'SIGN_UP' })
    purpose: OtpPurpose | null,
    @Args('requestKey', REQUEST_KEY) requestKey?: string | null,
    @Args('proof', {
      type: () => String,
      nullable: true,
      description:
        'The solved challenge as base64-encoded JSON: `algorithm challenge number salt signature`.',
    })
    proof?: string | null,
  ): Promise<FlagResult> {
    const request = { phone, client, requestKey: requestKey ?? null, proof: proof ?? null };
    const sent = this.commands.execute(new SendOtp({ ...request, purpose: purpose ?? 'SIGN_UP' }));
    const refusal = await refusalOf(sent, ['USER_EXISTS', 'PHONE_UNKNOWN']);
    return { flag: refusal ? 0 : 1, refusal };
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => SendChallenge, {
    description:
      'Proof-of-work challenge for a code beyond the usual limits: about a second of work, valid once.',
  })
  async createSendChallenge(@Context() { client }: RequestContext): Promise<SendChallenge> {
    await this.limiter.use('lookUpsPerAddress', client);
    return this.challenges.issue();
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => VerifyOtpResult)
  async verifyOTP(
    @Context() request: RequestContext,
    @Args('phone', { type: () => PhoneScalar }) phoneInput: string,
    @Args('verificationCode', { type: () => String }) code: string,
    @Args('purpose', { type: () => OtpPurposeEnum, nullable: true, defaultValue: 'SIGN_UP' })
    purpose: OtpPurpose | null,
    @Args('requestKey', REQUEST_KEY) requestKey?: string | null,
  ): Promise<VerifyOtpResult> {
    const phone = requirePhone(phoneInput);
    const requireShape = purpose === 'FORGOT_PASSWORD' ? requireRecoveryOtpShape : requireOtpShape;
    const slot = { phone, purpose: purpose ?? 'SIGN_UP', holder: requestKey ?? request.client };
    const studentId = await this.verifier.verify(slot, requireShape(code), request.client);
    if (studentId === undefined) return NOT_VERIFIED;
    await this.commands.execute(
      new VerifyPhone(commandContextFor(request, 'verifyOTP', unregisteredStudent(studentId))),
    );
    return { flag: 1, id: studentId, phone, grant: await this.grants.issue(studentId) };
  }
}

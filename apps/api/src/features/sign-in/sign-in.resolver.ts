import { Args, Context, Field, ID, Mutation, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { DomainError } from '@nimo/domain';
import { SecondFactorStep } from '../second-factor/second-factor.types.js';
import { Public } from '../../platform/auth/access.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { PhoneGrants } from '../otp/phone-grants.js';
import { SignInFlow } from '../second-factor/sign-in-flow.js';
import { SignInAccounts } from '../accounts/accounts.js';
import { OpenId } from './open-id.js';
import { SignInAttempts } from './sign-in-attempts.js';

@ObjectType({ description: 'An external provider to sign in with.' })
class SignInProvider {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly label!: string;
  @Field(() => Boolean, { description: 'Whether this installation has configured it.' })
  readonly isEnabled!: boolean;
}

@ObjectType()
class StartedSignIn {
  @Field(() => String, { description: 'URL of the provider to open in the browser.' }) readonly url!: string;
  @Field(() => String, { description: 'Keep in this tab and send back with the code.' })
  readonly secret!: string;
}

@ObjectType({
  description:
    'A session, or the second factor still required, or, for a new user, the grant for completing the profile.',
})
class FinishedSignIn {
  @Field(() => String, { nullable: true }) readonly accessToken!: string | null;
  @Field(() => Boolean) readonly remember!: boolean;
  @Field(() => ID, { nullable: true }) readonly id!: string | null;
  @Field(() => String, { nullable: true }) readonly grant!: string | null;
  @Field(() => SecondFactorStep, { nullable: true, description: 'Continue with `finishSecondFactor`.' })
  readonly secondFactor!: SecondFactorStep | null;
}

/** Turns a provider sign-in into a session or a grant. */
@Resolver()
export class SignInResolver {
  constructor(
    private readonly openId: OpenId,
    private readonly attempts: SignInAttempts,
    private readonly accounts: SignInAccounts,
    private readonly flow: SignInFlow,
    private readonly grants: PhoneGrants,
    private readonly limiter: RateLimiter,
  ) {}

  @Public()
  @Query(() => [SignInProvider], { description: 'The two providers on the login page, in display order.' })
  getSignInProviders(): SignInProvider[] {
    return this.openId.providers.map(({ id, label, client }) => ({
      _id: id,
      label,
      isEnabled: client !== undefined,
    }));
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => StartedSignIn)
  async startSignIn(
    @Context() { client }: RequestContext,
    @Args('provider', { type: () => ID }) provider: string,
    @Args('rememberMe', { type: () => Boolean, nullable: true }) remember?: boolean | null,
  ): Promise<StartedSignIn> {
    await this.limiter.use('loginsPerAddress', client);
    const { url, secrets } = await this.openId.begin(provider);
    return { url, secret: await this.attempts.begin(provider, secrets, remember ?? false) };
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => FinishedSignIn, {
    description: 'Takes the code from the redirect and the secret of the tab that started. Works once.',
  })
  async finishSignIn(
    @Context() { address, client, userAgent }: RequestContext,
    @Args('code', { type: () => String }) code: string,
    @Args('secret', { type: () => String }) secret: string,
  ): Promise<FinishedSignIn> {
    await this.limiter.use('loginsPerAddress', client);
    const finished = await this.attempts.redeemCode(code, secret);
    const student = finished && (await this.accounts.findById(finished.studentId));
    if (!student) throw new DomainError('SIGN_IN_EXPIRED');
    if (student.blocked) throw new DomainError('STUDENT_BLOCKED');
    const { studentId } = student;
    const { remember } = finished;
    if (!student.registered) {
      const grant = await this.grants.issue(studentId);
      return { accessToken: null, remember, id: studentId, grant, secondFactor: null };
    }
    const outcome = await this.flow.signIn(studentId, { remember, address, userAgent });
    return { ...outcome, remember, id: studentId, grant: null };
  }
}

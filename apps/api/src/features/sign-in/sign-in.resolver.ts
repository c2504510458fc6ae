import { Args, Context, Field, ID, Mutation, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { DomainError } from '@nimo/domain';
import { SecondFactorStep } from '../second-factor/second-factor.types.js';
import { Public } from '../../platform/auth/access.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { PhoneGrants } from '../otp/phone-grants.js';
import { SignInDoor } from '../second-factor/sign-in-door.js';
import { SignInAccounts } from '../accounts/accounts.js';
import { OpenId } from './open-id.js';
import { SignInAttempts } from './sign-in-attempts.js';

@ObjectType({ description: 'Another account that one can sign in with.' })
class SignInProvider {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly label!: string;
  @Field(() => Boolean, { description: 'Whether it has been set up here.' }) readonly isEnabled!: boolean;
}

@ObjectType()
class StartedSignIn {
  @Field(() => String, { description: 'Where the browser goes next.' }) readonly url!: string;
  @Field(() => String, { description: 'Stays in the tab that began, and comes back with the code.' })
  readonly secret!: string;
}

@ObjectType({
  description:
    'A session; or the second factor that it still needs; or, for somebody new, the grant that completes the profile.',
})
class FinishedSignIn {
  @Field(() => String, { nullable: true }) readonly accessToken!: string | null;
  @Field(() => Boolean) readonly remember!: boolean;
  @Field(() => ID, { nullable: true }) readonly id!: string | null;
  @Field(() => String, { nullable: true }) readonly grant!: string | null;
  @Field(() => SecondFactorStep, { nullable: true, description: 'Go on with `finishSecondFactor`.' })
  readonly secondFactor!: SecondFactorStep | null;
}

/** Six dependencies: it is the one place where an attempt becomes a session or a grant. */
@Resolver()
export class SignInResolver {
  constructor(
    private readonly openId: OpenId,
    private readonly attempts: SignInAttempts,
    private readonly accounts: SignInAccounts,
    private readonly door: SignInDoor,
    private readonly grants: PhoneGrants,
    private readonly limiter: RateLimiter,
  ) {}

  @Public()
  @Query(() => [SignInProvider], { description: 'The two of the log-in page, in its order.' })
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
    description:
      'With the code that the provider’s return brought and the secret of the tab that began. Once.',
  })
  async finishSignIn(
    @Context() { address, client, userAgent }: RequestContext,
    @Args('code', { type: () => String }) code: string,
    @Args('secret', { type: () => String }) secret: string,
  ): Promise<FinishedSignIn> {
    await this.limiter.use('loginsPerAddress', client);
    const finished = await this.attempts.finish(code, secret);
    const student = finished && (await this.accounts.findById(finished.studentId));
    if (!student) throw new DomainError('SIGN_IN_EXPIRED');
    if (student.blocked) throw new DomainError('STUDENT_BLOCKED');
    const { studentId } = student;
    const { remember } = finished;
    if (!student.registered) {
      const grant = await this.grants.give(studentId);
      return { accessToken: null, remember, id: studentId, grant, secondFactor: null };
    }
    const admission = await this.door.admit(studentId, { remember, address, userAgent });
    return { ...admission, remember, id: studentId, grant: null };
  }
}

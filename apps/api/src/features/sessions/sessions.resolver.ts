import { Args, Context, Mutation, Query, Resolver, ArgsType, Field } from '@nestjs/graphql';
import { DomainError } from '@nimo/domain';
import {
  assertStudentType,
  CurrentViewer,
  OptionalViewer,
  Public,
  SignedIn,
} from '../../platform/auth/access.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { attemptId } from '../../platform/commands/command-context.js';
import { refusalOf, FlagResult } from '../../platform/errors/refusal.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { PhoneScalar } from '../../platform/graphql/scalars.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { Login } from './login.js';
import { PasswordChange } from './password-change.js';
import { LoginResult } from '../second-factor/second-factor.types.js';

@ArgsType()
class LoginArgs {
  @Field(() => String) readonly password!: string;
  @Field(() => String, { nullable: true }) readonly userName?: string | null;
  @Field(() => PhoneScalar, { nullable: true }) readonly phone?: string | null;
  @Field(() => String, { nullable: true }) readonly userType?: string | null;
  @Field(() => Boolean, { nullable: true }) readonly rememberMe?: boolean | null;
}

const FACTOR_CODE =
  'A six-digit code or a recovery code. Required with a grant if the account has a second factor.';

@Resolver()
export class SessionsResolver {
  constructor(
    private readonly logins: Login,
    private readonly passwords: PasswordChange,
    private readonly sessions: SessionStore,
    private readonly limiter: RateLimiter,
  ) {}

  @Public()
  @Query(() => LoginResult, {
    name: 'login',
    description:
      'A name of digits only is a phone number. `rememberMe` makes the session last longer. Same as the mutation.',
  })
  async loginByQuery(@Context() request: RequestContext, @Args() args: LoginArgs): Promise<LoginResult> {
    return this.login(request, args);
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => LoginResult, {
    description: 'A name of digits only is a phone number. `rememberMe` makes the session last longer.',
  })
  async login(
    @Context() { address, client, userAgent }: RequestContext,
    @Args() { password, userName, phone, userType, rememberMe }: LoginArgs,
  ): Promise<LoginResult> {
    assertStudentType(userType);
    await this.limiter.use('loginsPerAddress', client);
    const login = (phone ?? userName ?? '').trim();
    return this.logins.attempt({
      login,
      password,
      rememberMe: rememberMe ?? false,
      address,
      client,
      userAgent,
    });
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, { description: "Ends the caller's session." })
  async logout(@CurrentViewer() viewer: Viewer): Promise<FlagResult> {
    await this.sessions.end(viewer.sessionId);
    return { flag: 1 };
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => FlagResult, {
    description:
      'Takes a grant (forgotten password), or a session and the old password. Flag 0: the grant is invalid or the old password is wrong, as `refusal` says.',
  })
  async changePassword(
    @Context() request: RequestContext,
    @OptionalViewer() viewer: Viewer | null,
    @Args('password', { type: () => String }) password: string,
    @Args('phone', { type: () => PhoneScalar, nullable: true }) phone?: string | null,
    @Args('oldPassword', { type: () => String, nullable: true }) oldPassword?: string | null,
    @Args('userType', { type: () => String, nullable: true }) userType?: string | null,
    @Args('grant', { type: () => String, nullable: true }) grant?: string | null,
    @Args('factorCode', { type: () => String, nullable: true, description: FACTOR_CODE })
    factorCode?: string | null,
  ): Promise<FlagResult> {
    const { client } = request;
    assertStudentType(userType);
    if (typeof grant === 'string') {
      const commandId = attemptId(request);
      return flagOf(
        this.passwords.withGrant({ grant, phone: phone ?? null, password, factorCode, commandId, client }),
      );
    }
    if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
    return flagOf(this.passwords.withOldPassword(viewer, oldPassword ?? '', password, client));
  }
}

/** Clients get flag 0, not an error, for an invalid grant or a wrong old password. */
async function flagOf(change: Promise<void>): Promise<FlagResult> {
  const refusal = await refusalOf(change, ['GRANT_INVALID', 'OLD_PASSWORD_WRONG']);
  return { flag: refusal ? 0 : 1, refusal };
}

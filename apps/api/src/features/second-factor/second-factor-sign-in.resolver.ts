import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { CurrentViewer, Public, SignedIn } from '../../platform/auth/access.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { FlagResult, LoginResult } from '../sessions/login-result.type.js';
import { FactorCheck } from './factor-check.js';
import { holderIn } from './factor-set-up.js';
import { Passkeys } from './passkeys.js';
import { SignInDoor } from './sign-in-door.js';

const CODE = { nullable: true, description: 'Six digits of an app, or a recovery code.' } as const;
const PASSKEY = { nullable: true, description: 'What the browser made of the options, as JSON.' } as const;

/** Giving the second factor: to finish a sign-in, or once more in a session. */
@Resolver()
export class SecondFactorSignInResolver {
  constructor(
    private readonly door: SignInDoor,
    private readonly check: FactorCheck,
    private readonly passkeys: Passkeys,
    private readonly sessions: SessionStore,
    private readonly limiter: RateLimiter,
  ) {}

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => LoginResult, { description: 'The second step of a sign-in, for the ticket of the first.' })
  async finishSecondFactor(
    @Context() { address, client, userAgent }: RequestContext,
    @Args('ticket', { type: () => String }) ticket: string,
    @Args('code', { type: () => String, ...CODE }) code?: string | null,
    @Args('passkey', { type: () => String, ...PASSKEY }) passkey?: string | null,
  ): Promise<LoginResult> {
    await this.limiter.use('loginsPerAddress', client);
    const { accessToken } = await this.door.finish(ticket, { code, passkey }, { address, client, userAgent });
    return { accessToken, error: null, rule: null, secondFactor: null, confirmation: null };
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => String, { description: 'Options for the browser to sign in with a passkey, as JSON.' })
  async startPasskeySignIn(
    @Context() { client }: RequestContext,
    @Args('ticket', { type: () => String }) ticket: string,
  ): Promise<string> {
    await this.limiter.use('loginsPerAddress', client);
    return this.passkeys.startUse(await this.door.holderOf(ticket));
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, {
    description: 'Opens the staff areas for some hours, and changes to the factors for minutes.',
  })
  async confirmSecondFactor(
    @CurrentViewer() viewer: Viewer,
    @Context() { client }: RequestContext,
    @Args('code', { type: () => String, ...CODE }) code?: string | null,
    @Args('passkey', { type: () => String, ...PASSKEY }) passkey?: string | null,
  ): Promise<FlagResult> {
    await this.check.take(holderIn(viewer), { code, passkey }, client);
    await this.sessions.noteFactor(viewer.studentId, viewer.sessionId);
    return { flag: 1 };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => String, { description: 'Options for the browser to confirm with a passkey, as JSON.' })
  startPasskeyConfirmation(@CurrentViewer() viewer: Viewer): Promise<string> {
    return this.passkeys.startUse(holderIn(viewer));
  }
}

import { randomUUID } from 'node:crypto';
import { Controller, Get, Inject, Injectable, Param, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DomainError, requireEmail } from '@nimo/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Identities } from '../../platform/auth/identities.js';
import { type CommandContext, unregisteredStudent } from '../../platform/commands/command-context.js';
import { newFreshness } from '../../platform/commands/freshness.js';
import { MatchedGroups } from '../invitations/matching-invitations.js';
import { Accounts, SignInAccounts } from '../accounts/accounts.js';
import { SignUpByProvider } from './commands/sign-up-by-provider.js';
import { OpenId, type VerifiedIdentity } from './open-id.js';
import { SignInAttempts } from './sign-in-attempts.js';
import { Public } from '../../platform/auth/access.js';
import type { Logger } from '../../platform/logging/logger.js';
import { LOGGER } from '../../platform/config/tokens.js';
import { ClientAddresses } from '../../platform/callers/client-address.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { requestPath } from '../../platform/web/request-path.js';

/** Resolves a provider's callback to an account. */
@Injectable()
export class ProviderSignIn {
  constructor(
    private readonly openId: OpenId,
    private readonly attempts: SignInAttempts,
    private readonly identities: Identities,
    private readonly accounts: Accounts,
    private readonly signInAccounts: SignInAccounts,
    private readonly commands: CommandBus,
    private readonly groups: MatchedGroups,
  ) {}

  /** @returns the single-use code for the browser */
  async complete(provider: string, query: string, correlationId: string): Promise<string> {
    const state = new URLSearchParams(query).get('state') ?? '';
    const attempt = await this.attempts.consumeState(provider, state);
    if (!attempt) throw new DomainError('SIGN_IN_EXPIRED');
    const withGroups = await this.groups.hasInvitations(provider);
    const person = await this.openId.finish(provider, query, attempt.secrets, withGroups);
    const studentId = await this.findOrCreateStudent(person, correlationId);
    await this.groups.replace(person, provider, person.groups);
    return this.attempts.issueCode(attempt, studentId);
  }

  /** The linked account; otherwise the one with the same email, confirmed on both sides; otherwise a new one. */
  private async findOrCreateStudent(person: VerifiedIdentity, correlationId: string): Promise<string> {
    const owner = await this.identities.ownerOf(person);
    if (owner !== undefined && (await this.signInAccounts.findById(owner))) return owner;
    if (person.verifiedEmail === null) throw new DomainError('PROVIDER_EMAIL_REQUIRED');
    const email = requireEmail(person.verifiedEmail);
    const holder = await this.accounts.find({ kind: 'email', value: email });
    if (holder && !holder.emailConfirmed) throw new DomainError('PROVIDER_EMAIL_REQUIRED');
    const studentId = holder?.studentId ?? (await this.signUp(email, correlationId));
    return this.identities.link(person, studentId);
  }

  private async signUp(email: string, correlationId: string): Promise<string> {
    const studentId = randomUUID();
    const commandId = randomUUID();
    const context: CommandContext = {
      by: unregisteredStudent(studentId),
      actor: { kind: 'student', id: studentId },
      commandId,
      correlationId,
      causationId: commandId,
      freshness: newFreshness(),
    };
    await this.commands.execute(new SignUpByProvider(context, email));
    return studentId;
  }
}

/** The redirect URI. The outcome goes into the URL fragment, which browsers send to no server. */
@Controller('auth/oidc')
export class CallbackController {
  constructor(
    private readonly signIn: ProviderSignIn,
    private readonly limiter: RateLimiter,
    private readonly clients: ClientAddresses,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Public()
  @Get(':provider/callback')
  async callback(
    @Param('provider') provider: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = request.url.slice(requestPath(request.url).length);
    const outcome = await this.outcomeOf(provider, query, request);
    await reply
      .headers({ 'cache-control': 'no-store' })
      .redirect(`/login#${new URLSearchParams(outcome).toString()}`, 303);
  }

  private async outcomeOf(
    provider: string,
    query: string,
    { raw, id }: FastifyRequest,
  ): Promise<{ readonly code: string } | { readonly refused: string }> {
    try {
      await this.limiter.use('loginsPerAddress', this.clients.of(raw).key);
      if (new URLSearchParams(query).get('error') === 'access_denied') return { refused: 'CANCELLED' };
      return { code: await this.signIn.complete(provider, query, id) };
    } catch (error) {
      if (error instanceof DomainError) return { refused: error.code };
      // Provider failure or tampering: no details in the URL.
      this.logger.warn({ err: error, provider }, 'provider sign-in failed');
      return { refused: 'FAILED' };
    }
  }
}

import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../platform/auth/access.js';
import type { Logger } from '../../platform/logging/logger.js';
import { LOGGER } from '../../platform/runtime/tokens.js';
import { ClientAddresses } from '../../platform/web/client-address.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { requestPath } from '../../platform/web/request-path.js';
import { ProviderSignIn } from './provider-sign-in.js';

/** Where a provider sends the browser back to. What comes of it stands behind the #, which goes to no server and no other page. */
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
      return { code: await this.signIn.completeAt(provider, query, id) };
    } catch (error) {
      if (error instanceof DomainError) return { refused: error.code };
      // The provider's fault, or somebody's who tampers: nothing of it is for the address bar.
      this.logger.warn({ err: error, provider }, 'a sign-in by a provider failed');
      return { refused: 'FAILED' };
    }
  }
}

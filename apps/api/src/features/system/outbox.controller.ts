import { randomBytes } from 'node:crypto';
import { Controller, Get, Header, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Outbox, type OutboxMessage } from '../../adapters/outbox/outbox.js';
import { Public } from '../../platform/auth/access.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { hasOpenOutbox } from '../../platform/config/serving.js';
import { isLoopback } from '../../platform/config/setting.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { SETTINGS } from '../../platform/runtime/tokens.js';
import { outboxPage } from './outbox-page.js';

/** The development outbox: closed in production, and where a gateway sends. */
@Controller('dev')
export class OutboxController {
  constructor(
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Public()
  @Get('outbox')
  async page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const messages = await this.messages(request);
    const nonce = randomBytes(16).toString('base64');
    await reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        'cache-control': 'no-store',
      })
      .send(outboxPage(messages, nonce));
  }

  @Public()
  @Get('outbox.json')
  @Header('cache-control', 'no-store')
  async json(@Req() request: FastifyRequest): Promise<{ readonly messages: readonly OutboxMessage[] }> {
    return { messages: await this.messages(request) };
  }

  private async messages(request: FastifyRequest): Promise<OutboxMessage[]> {
    if (!hasOpenOutbox(this.settings) || !isAskedHere(request)) throw new ApiError('NOT_FOUND', 'Not found.');
    return this.outbox.list();
  }
}

/** Not through a proxy, and not by a page whose name was pointed at this machine (DNS rebinding). */
function isAskedHere({ headers }: FastifyRequest): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  return isLoopback(host) && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}

import { randomBytes } from 'node:crypto';
import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Outbox, type OutboxMessage } from '../../adapters/outbox/outbox.js';
import { Public } from '../../platform/auth/access.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { SETTINGS } from '../../platform/runtime/tokens.js';
import { outboxPage } from './outbox-page.js';

/** The development outbox: closed in production, and where a gateway sends. */
@Controller('dev')
export class OutboxController {
  constructor(
    private readonly outbox: Outbox,
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'nodeEnv' | 'twilioAccountSid' | 'smtpUrl'>,
  ) {}

  @Public()
  @Get('outbox')
  async page(@Res() reply: FastifyReply): Promise<void> {
    const messages = await this.messages();
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
  async json(): Promise<{ readonly messages: readonly OutboxMessage[] }> {
    return { messages: await this.messages() };
  }

  private async messages(): Promise<OutboxMessage[]> {
    const { nodeEnv, twilioAccountSid, smtpUrl } = this.settings;
    if (nodeEnv === 'production' || (twilioAccountSid !== undefined && smtpUrl !== undefined)) {
      throw new ApiError('NOT_FOUND', 'Not found.');
    }
    return this.outbox.list();
  }
}

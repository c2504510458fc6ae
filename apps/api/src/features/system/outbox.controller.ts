import { randomBytes } from 'node:crypto';
import { Controller, Get, Header, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Outbox, type OutboxMessage } from '../../platform/adapters/outbox/outbox.js';
import { escapeHtml } from '../../platform/web/escape-html.js';
import { Public } from '../../platform/auth/access.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { hasOpenOutbox } from '../../platform/config/serving.js';
import { isLoopback } from '../../platform/config/setting.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { SETTINGS } from '../../platform/config/tokens.js';

const REFRESH_SECONDS = 3;

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#dfe3ec, #2b3550); --soft: light-dark(#5b6478, #9aa5bd); }
body { margin: 0 auto; max-width: 44rem; padding: 3rem 1.25rem; font: 16px/1.5 system-ui, sans-serif;
  color: light-dark(#141d38, #e8ecf5); background: light-dark(#f6f7fa, #10172b); }
h1 { font-size: 1.5rem; margin: 0; }
p { margin: 0.25rem 0 2rem; color: var(--soft); }
ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.75rem; }
li { padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 12px; background: light-dark(#fff, #18213b); }
header { display: flex; gap: 0.75rem; align-items: baseline; font-size: 0.875rem; color: var(--soft); }
header b { color: light-dark(#141d38, #e8ecf5); }
time { margin-left: auto; }
h2 { font-size: 1rem; margin: 0.5rem 0 0; }
pre { margin: 0.5rem 0 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
mark { padding: 0.1em 0.4em; border-radius: 6px; font-weight: 700; letter-spacing: 0.12em; color: inherit;
  background: light-dark(#dfe7ff, #2b3d78); }`;

/** Refreshes with a meta tag, because the policy forbids scripts. */
function outboxPage(messages: readonly OutboxMessage[], nonce: string): string {
  const list = messages.length === 0 ? '<p>No messages yet.</p>' : `<ol>${messages.map(item).join('')}</ol>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Outbox</title>
<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${REFRESH_SECONDS}">
<style nonce="${nonce}">${STYLE}</style></head>
<body><h1>Outbox</h1><p>Messages that would be sent if a gateway were configured. Newest first.</p>${list}</body></html>`;
}

function item({ kind, recipient, subject, text, sentAt }: OutboxMessage): string {
  // Highlights what developers look for: a code or a link.
  const body =
    kind === 'SMS'
      ? escapeHtml(text).replace(/\b\d{4}\b/, '<mark>$&</mark>')
      : escapeHtml(text).replace(/https?:\/\/\S+/g, '<a href="$&" target="_blank" rel="noopener">$&</a>');
  const title = subject === null ? '' : `<h2>${escapeHtml(subject)}</h2>`;
  return `<li><header><b>${kind}</b><span>${escapeHtml(recipient)}</span><time datetime="${sentAt}">${sentAt.slice(11, 19)} UTC</time></header>${title}<pre>${body}</pre></li>`;
}

/** The development outbox. Closed in production and when a gateway is configured. */
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
    if (!hasOpenOutbox(this.settings) || !isLocalRequest(request))
      throw new ApiError('NOT_FOUND', 'Not found.');
    return this.outbox.list();
  }
}

/** Rejects proxied requests and foreign host names that resolve to this machine (DNS rebinding). */
function isLocalRequest({ headers }: FastifyRequest): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  return isLoopback(host) && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}

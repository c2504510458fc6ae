import type { Transporter } from 'nodemailer';
import type pg from 'pg';
import type { Settings } from '../../config/load-settings.js';
import { requireMailServer } from '../../config/serving.js';
import type { Logger } from '../../logging/logger.js';
import { Outbox } from '../outbox/outbox.js';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface MailSender {
  send(mail: Mail): Promise<void>;
}

/** The configured SMTP server; without one, the outbox. @throws SettingsError in production without one */
export function mailSender(settings: Settings, pool: pg.Pool, logger: Logger): MailSender {
  const { smtpUrl, mailFrom, nodeEnv } = settings;
  if (smtpUrl !== undefined) return new SmtpMail(smtpUrl, mailFrom);
  if (nodeEnv === 'production') requireMailServer(settings);
  if (nodeEnv === 'development') logger.warn('SMTP_URL is not set: mails go only to /dev/outbox');
  return new OutboxMail(new Outbox(pool), logger);
}

class SmtpMail implements MailSender {
  private transport: Promise<Transporter> | undefined;

  constructor(
    private readonly url: string,
    private readonly from: string,
  ) {}

  async send(mail: Mail): Promise<void> {
    this.transport ??= transportTo(this.url);
    // As an object, so that the address is not parsed as a list.
    const to = { name: '', address: mail.to };
    await (await this.transport).sendMail({ from: this.from, ...mail, to });
  }
}

/** Loaded on first use. */
async function transportTo(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport(url);
}

class OutboxMail implements MailSender {
  constructor(
    private readonly outbox: Outbox,
    private readonly logger: Logger,
  ) {}

  async send({ to, subject, text }: Mail): Promise<void> {
    await this.outbox.put({ kind: 'MAIL', recipient: to, subject, text });
    // Never log the link or the address.
    this.logger.info('new mail in /dev/outbox');
  }
}

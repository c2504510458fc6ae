import { createTransport } from 'nodemailer';
import type pg from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import type { Logger } from '../../platform/logging/logger.js';
import { Outbox } from '../outbox/outbox.js';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface MailSender {
  send(mail: Mail): Promise<void>;
}

/** The server that is configured, otherwise the outbox. */
export function mailSender(settings: Settings, pool: pg.Pool, logger: Logger): MailSender {
  return settings.smtpUrl === undefined
    ? new OutboxMail(new Outbox(pool), logger)
    : new SmtpMail(settings.smtpUrl, settings.mailFrom);
}

class SmtpMail implements MailSender {
  private readonly transport;

  constructor(
    url: string,
    private readonly from: string,
  ) {
    this.transport = createTransport(url);
  }

  async send(mail: Mail): Promise<void> {
    await this.transport.sendMail({ from: this.from, ...mail });
  }
}

class OutboxMail implements MailSender {
  constructor(
    private readonly outbox: Outbox,
    private readonly logger: Logger,
  ) {}

  async send({ to, subject, text }: Mail): Promise<void> {
    await this.outbox.put({ kind: 'MAIL', recipient: to, subject, text });
    this.logger.info(`mail to ${to}: ${subject}\n${text}`);
  }
}

import type pg from 'pg';
import type { Logger } from '../../logging/logger.js';
import { Outbox } from '../outbox/outbox.js';
import type { Settings } from '../../config/load-settings.js';
import { requireSmsGateway } from '../../config/serving.js';
import type { JobQueues } from '../jobs/job-queues.js';
import { type MasterKeySettings, decryptionKeys } from '../../personal-data/master-keys.js';
import { openText, sealText } from '../../personal-data/sealed-values.js';

const TIMEOUT_MS = 10_000;

interface TwilioAccount {
  readonly accountSid: string;
  readonly authToken: string;
  readonly from: string;
}

/** Sends SMS by Twilio. The calling job retries on errors. */
export class TwilioSms implements SmsSender {
  constructor(
    private readonly account: TwilioAccount,
    private readonly origin = 'https://api.twilio.com',
  ) {}

  async send(phone: string, text: string): Promise<void> {
    const { accountSid, authToken, from } = this.account;
    const response = await fetch(`${this.origin}/2010-04-01/Accounts/${accountSid}/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
      body: new URLSearchParams({ To: `+${phone}`, From: from, Body: text }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Without the response text, which repeats the number.
    if (!response.ok) throw new Error(`the SMS gateway responded with ${response.status}`);
  }
}

class OutboxSms implements SmsSender {
  constructor(
    private readonly outbox: Outbox,
    private readonly logger: Logger,
  ) {}

  async send(phone: string, text: string): Promise<void> {
    await this.outbox.put({ kind: 'SMS', recipient: `+${phone}`, subject: null, text });
    // Never log the code or the number.
    this.logger.info('new SMS in /dev/outbox');
  }
}

export interface SmsSender {
  /** @param phone digits with country code */
  send(phone: string, text: string): Promise<void>;
}

/** The configured gateway; without one, the outbox. @throws SettingsError in production without one */
export function smsSender(settings: Settings, pool: pg.Pool, logger: Logger): SmsSender {
  const { twilioAccountSid, twilioAuthToken, twilioFrom } = settings;
  if (twilioAccountSid !== undefined && twilioAuthToken !== undefined && twilioFrom !== undefined) {
    return new TwilioSms({ accountSid: twilioAccountSid, authToken: twilioAuthToken, from: twilioFrom });
  }
  if (settings.nodeEnv === 'production') requireSmsGateway(settings);
  if (settings.nodeEnv === 'development')
    logger.warn('TWILIO_ACCOUNT_SID is not set: SMS go only to /dev/outbox');
  return new OutboxSms(new Outbox(pool), logger);
}

const BOUND_TO = 'sms-job';

interface Sms {
  readonly phone: string;
  readonly text: string;
}

/** Sends SMS by jobs, so that a slow gateway blocks no request. Payloads are encrypted with the master key. */
export class SmsJobs {
  constructor(
    private readonly queues: JobQueues,
    private readonly settings: MasterKeySettings,
  ) {}

  async send(sms: Sms, jobId: string): Promise<void> {
    await this.queues.add(
      'sms',
      { sealed: sealText(this.settings.masterKey, JSON.stringify(sms), BOUND_TO) },
      jobId,
    );
  }

  /** Processes the queue, in the worker. */
  async work(sender: SmsSender): Promise<void> {
    await this.queues.work('sms', async ({ sealed }) => {
      const { phone, text } = JSON.parse(openText(decryptionKeys(this.settings), sealed, BOUND_TO)) as Sms;
      await sender.send(phone, text);
    });
  }
}

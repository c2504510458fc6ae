import type { Settings } from '../../platform/config/load-settings.js';
import { requireSmsGateway } from '../../platform/config/serving.js';
import type { Logger } from '../../platform/logging/logger.js';
import { Outbox } from '../outbox/outbox.js';
import { TwilioSms } from './twilio-sms.js';
import { OutboxSms } from './outbox-sms.js';
import type pg from 'pg';

export interface SmsSender {
  /** @param phone with its prefix, digits only */
  send(phone: string, text: string): Promise<void>;
}

/** The gateway that is configured; in development without one, the outbox. @throws SettingsError in production without one */
export function smsSender(settings: Settings, pool: pg.Pool, logger: Logger): SmsSender {
  const { twilioAccountSid, twilioAuthToken, twilioFrom } = settings;
  if (twilioAccountSid !== undefined && twilioAuthToken !== undefined && twilioFrom !== undefined) {
    return new TwilioSms({ accountSid: twilioAccountSid, authToken: twilioAuthToken, from: twilioFrom });
  }
  if (settings.nodeEnv === 'production') requireSmsGateway(settings);
  if (settings.nodeEnv === 'development')
    logger.warn('TWILIO_ACCOUNT_SID is not set: SMS go to /dev/outbox and nowhere else');
  return new OutboxSms(new Outbox(pool), logger);
}

import type { Logger } from '../../platform/logging/logger.js';
import type { Outbox } from '../outbox/outbox.js';
import type { SmsSender } from './sms-sender.js';

export class OutboxSms implements SmsSender {
  constructor(
    private readonly outbox: Outbox,
    private readonly logger: Logger,
  ) {}

  async send(phone: string, text: string): Promise<void> {
    await this.outbox.put({ kind: 'SMS', recipient: `+${phone}`, subject: null, text });
    // Neither the code nor the number: logs are kept, read by others and shipped elsewhere.
    this.logger.info('an SMS is in the outbox: /dev/outbox');
  }
}

import type { JobQueues } from '../jobs/job-queues.js';
import { type MasterKeySettings, masterKeysOf } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import type { SmsSender } from './sms-sender.js';

const BOUND_TO = 'sms-job';

interface Sms {
  readonly phone: string;
  readonly text: string;
}

/** SMS go out by a job, so that a slow gateway holds nobody up; its payload is sealed with the master key. */
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

  /** In the worker. */
  async work(sender: SmsSender): Promise<void> {
    await this.queues.work('sms', async ({ sealed }) => {
      const { phone, text } = JSON.parse(openText(masterKeysOf(this.settings), sealed, BOUND_TO)) as Sms;
      await sender.send(phone, text);
    });
  }
}

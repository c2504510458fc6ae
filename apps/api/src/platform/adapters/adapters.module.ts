import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import type { Settings } from '../config/load-settings.js';
import type { Logger } from '../logging/logger.js';
import { Metrics } from '../operations/metrics.js';
import { Tracing } from '../operations/tracing.js';
import { LOGGER, SETTINGS } from '../config/tokens.js';
import { FilesModule } from './files/files.module.js';
import { openJobQueues, type JobQueues } from './jobs/job-queues.js';
import { mailSender } from './mail/mail-sender.js';
import { Outbox } from './outbox/outbox.js';
import { SmsJobs, smsSender } from './sms/sms-sender.js';
import { JOBS, MAIL, SMS } from './tokens.js';

@Injectable()
class JobQueuesShutdown implements OnApplicationShutdown {
  constructor(@Inject(JOBS) private readonly queues: JobQueues) {}

  async onApplicationShutdown(): Promise<void> {
    await this.queues.close();
  }
}

/** Adapters for external services other than the database, embedded or configured. */
@Global()
@Module({
  imports: [FilesModule],
  providers: [
    JobQueuesShutdown,
    {
      provide: JOBS,
      useFactory: (settings: Settings, logger: Logger, metrics: Metrics, tracing: Tracing) =>
        openJobQueues(settings, { logger, metrics, tracing }),
      inject: [SETTINGS, LOGGER, Metrics, Tracing],
    },
    { provide: SMS, useFactory: smsSender, inject: [SETTINGS, Pool, LOGGER] },
    { provide: MAIL, useFactory: mailSender, inject: [SETTINGS, Pool, LOGGER] },
    { provide: Outbox, useFactory: (pool: Pool) => new Outbox(pool), inject: [Pool] },
    {
      provide: SmsJobs,
      useFactory: (queues: JobQueues, settings: Settings) => new SmsJobs(queues, settings),
      inject: [JOBS, SETTINGS],
    },
  ],
  exports: [FilesModule, JOBS, SMS, MAIL, Outbox, SmsJobs],
})
export class AdaptersModule {}

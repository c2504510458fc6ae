import { Injectable } from '@nestjs/common';
import { AccountMailJobs } from '../account-mail/account-mail.js';
import type { FactorNews } from '../account-mail/email-templates.js';

/** Tells whose account it is what was done to its second factor. */
@Injectable()
export class FactorMail {
  constructor(private readonly jobs: AccountMailJobs) {}

  async tell(studentId: string, news: FactorNews): Promise<void> {
    await this.jobs.add({ kind: 'second-factor', studentId, news });
  }
}

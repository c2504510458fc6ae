import { Injectable } from '@nestjs/common';
import { AccountMailJobs } from '../email-accounts/account-mail.js';
import type { FactorNews } from '../email-accounts/email-templates.js';

/** Tells whose account it is what was done to its second factor. */
@Injectable()
export class FactorMail {
  constructor(private readonly jobs: AccountMailJobs) {}

  async tell(studentId: string, news: FactorNews): Promise<void> {
    await this.jobs.add({ kind: 'second-factor', studentId, news });
  }
}

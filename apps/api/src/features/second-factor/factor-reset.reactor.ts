import { Injectable } from '@nestjs/common';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { AccountMailJobs } from '../account-mail/account-mail.js';

/** Tells whose second factor was reset, whether a maintainer did it or the command line, which has no jobs. */
@Injectable()
export class FactorResetReactor implements Reactor<'SecondFactorReset'> {
  readonly name = 'second-factor-resets';
  readonly startsAt = 'head';
  readonly types = ['SecondFactorReset'] as const;

  constructor(private readonly jobs: AccountMailJobs) {}

  async handle(event: ReactorEvent<'SecondFactorReset'>, jobId: string): Promise<void> {
    const { studentId, reason } = event.data;
    await this.jobs.add({ kind: 'second-factor', studentId, change: { kind: 'reset', reason } }, jobId);
  }
}

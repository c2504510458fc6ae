import { Injectable } from '@nestjs/common';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { AccountMailJobs } from '../account-mail/account-mail.js';

/** Mails the owner after a reset. Driven by the event because the command line cannot queue jobs. */
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

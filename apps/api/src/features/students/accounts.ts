import { Inject, Injectable } from '@nestjs/common';
import { studentStream, type Student } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { DomainStreams } from '../../platform/commands/domain-streams.js';
import { EVENT_STORE } from '../../platform/runtime/tokens.js';
import { Claims, type ClaimedValue } from './claims.js';
import { studentState } from './student-state.js';

const NOBODY = 'nobody';

/** Accounts by what the log says now: whoever signs up or logs in must not meet a read side that lags. */
@Injectable()
export class Accounts {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly claims: Claims,
  ) {}

  /** An account that is not there is looked for as one that is, so that the time does not tell. */
  async find(claimed: ClaimedValue): Promise<Student | undefined> {
    return this.findById((await this.claims.holderOf(claimed)) ?? NOBODY);
  }

  async findById(studentId: string): Promise<Student | undefined> {
    const streams = new DomainStreams(await this.store.readStreams([studentStream(studentId)]));
    const student = studentState(streams, studentId);
    return student?.erased ? undefined : student;
  }
}

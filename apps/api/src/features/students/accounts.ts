import { Injectable } from '@nestjs/common';
import { aggregate, studentDecider, type Student } from '@nimo/domain';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { Claims, type ClaimedValue } from './claims.js';

const NOBODY = 'nobody';

/** Accounts by what the log says now: whoever signs up or logs in must not meet a read side that lags. */
@Injectable()
export class Accounts {
  constructor(
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
  ) {}

  /** An account that is not there is looked for as one that is, so that the time does not tell. */
  async find(claimed: ClaimedValue): Promise<Student | undefined> {
    return this.findById((await this.claims.holderOf(claimed)) ?? NOBODY);
  }

  async findById(studentId: string): Promise<Student | undefined> {
    const student = await this.commands.state(aggregate(studentDecider, studentId));
    return student?.erased ? undefined : student;
  }
}

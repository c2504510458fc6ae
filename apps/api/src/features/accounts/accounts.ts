import { Injectable } from '@nestjs/common';
import { aggregate, type Student, studentDecider } from '@nimo/domain';
import { EventStoreUnavailableError } from '@nimo/event-store';
import {
  findStudentByEmail,
  findStudentById,
  findStudentByPhone,
  findStudentByUserName,
  type StudentView,
} from '@nimo/projections';
import { Pool } from 'pg';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { type ClaimedValue, Claims } from './claims.js';

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

/** What signing in asks of an account. */
export interface SignInAccount {
  readonly studentId: string;
  readonly registered: boolean;
  readonly blocked: boolean;
}

/**
 * Accounts by what the log says now; while it is away, by what is known of them. Reading goes on without the log, and whoever may read
 * must be able to come in: nobody can take a name, a phone or a block away meanwhile, as that would be an event.
 */
@Injectable()
export class SignInAccounts {
  constructor(
    private readonly accounts: Accounts,
    private readonly pool: Pool,
  ) {}

  find(claimed: ClaimedValue): Promise<SignInAccount | undefined> {
    return unlessAway(
      () => this.accounts.find(claimed),
      async () => accountOf(await this.known(claimed)),
    );
  }

  findById(studentId: string): Promise<SignInAccount | undefined> {
    return unlessAway(
      () => this.accounts.findById(studentId),
      async () => accountOf(await findStudentById(this.pool, studentId)),
    );
  }

  /** A phone or an address counts once it was proved. */
  private async known({ kind, value }: ClaimedValue): Promise<StudentView | null> {
    if (kind === 'username') return findStudentByUserName(this.pool, value);
    const isPhone = kind === 'phone';
    const found = await (isPhone ? findStudentByPhone : findStudentByEmail)(this.pool, value);
    const isProved = isPhone ? found?.isPhoneVerified : found?.isEmailConfirmed;
    return isProved === true ? found : null;
  }
}

async function unlessAway(
  ask: () => Promise<SignInAccount | undefined>,
  known: () => Promise<SignInAccount | undefined>,
): Promise<SignInAccount | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof EventStoreUnavailableError) return known();
    throw error;
  }
}

const accountOf = (student: StudentView | null): SignInAccount | undefined =>
  student === null || student.isErased
    ? undefined
    : { studentId: student._id, registered: student.isRegistered, blocked: student.isBlocked };

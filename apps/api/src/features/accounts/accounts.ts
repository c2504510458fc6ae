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

const UNKNOWN_STUDENT = 'nobody';

/** Reads accounts from the log, so that signing up and logging in never see a stale projection. */
@Injectable()
export class Accounts {
  constructor(
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
  ) {}

  /** Does the same work for unknown values, so that timing does not reveal whether an account exists. */
  async find(claimed: ClaimedValue): Promise<Student | undefined> {
    return this.findById((await this.claims.holderOf(claimed)) ?? UNKNOWN_STUDENT);
  }

  async findById(studentId: string): Promise<Student | undefined> {
    const student = await this.commands.state(aggregate(studentDecider, studentId));
    return student?.erased ? undefined : student;
  }
}

/** The account fields that signing in needs. */
export interface SignInAccount {
  readonly studentId: string;
  readonly registered: boolean;
  readonly blocked: boolean;
}

/**
 * Reads accounts from the log, or from the projections while the log is unavailable: reading works without the log, so logging in
 * must too. That is safe because renames, contact changes and blocks are events, and nothing can append them meanwhile.
 */
@Injectable()
export class SignInAccounts {
  constructor(
    private readonly accounts: Accounts,
    private readonly pool: Pool,
  ) {}

  find(claimed: ClaimedValue): Promise<SignInAccount | undefined> {
    return withFallback(
      () => this.accounts.find(claimed),
      async () => accountOf(await this.findProjected(claimed)),
    );
  }

  findById(studentId: string): Promise<SignInAccount | undefined> {
    return withFallback(
      () => this.accounts.findById(studentId),
      async () => accountOf(await findStudentById(this.pool, studentId)),
    );
  }

  /** Matches phones and email addresses only if verified. */
  private async findProjected({ kind, value }: ClaimedValue): Promise<StudentView | null> {
    if (kind === 'username') return findStudentByUserName(this.pool, value);
    const isPhone = kind === 'phone';
    const found = await (isPhone ? findStudentByPhone : findStudentByEmail)(this.pool, value);
    const isVerified = isPhone ? found?.isPhoneVerified : found?.isEmailConfirmed;
    return isVerified === true ? found : null;
  }
}

async function withFallback(
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

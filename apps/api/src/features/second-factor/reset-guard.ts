import { Injectable } from '@nestjs/common';
import { DomainError, type Student } from '@nimo/domain';
import type { ClientKey } from '../../platform/rate-limit/client-key.js';
import { FactorCheck } from './factor-check.js';
import { SecondFactors } from './second-factors.js';

export interface PasswordReset {
  readonly student: Pick<Student, 'studentId' | 'roles'>;
  /** What stands for the forgotten password. */
  readonly by: 'phone' | 'mail';
  readonly factorCode: string | null | undefined;
  readonly client: ClientKey;
}

/** A phone or a mailbox stands for the password, never for the second factor. */
@Injectable()
export class ResetGuard {
  constructor(
    private readonly factors: SecondFactors,
    private readonly check: FactorCheck,
  ) {}

  /**
   * Takes the code where there is a second factor. Whoever holds a role and has none is not reset by SMS alone: a maintainer takes
   * the role away, and gives it back afterwards.
   */
  async requireMayReset({ student, by, factorCode, client }: PasswordReset): Promise<void> {
    const { studentId, roles } = student;
    if (!(await this.factors.isSetUp(studentId))) {
      if (by === 'phone' && roles.length > 0) throw new DomainError('RESET_BY_PHONE_ALONE');
      return;
    }
    if (typeof factorCode !== 'string' || factorCode.trim() === '')
      throw new DomainError('SECOND_FACTOR_REQUIRED');
    await this.check.take({ hash: '', studentId }, { code: factorCode }, client);
  }
}

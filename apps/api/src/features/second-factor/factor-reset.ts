import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Pool } from 'pg';
import DataLoader from 'dataloader';
import { Injectable } from '@nestjs/common';
import { DomainError, type Student } from '@nimo/domain';
import { HasRole } from '../../platform/auth/access.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { OwnStaffActions } from '../staff-actions/own-staff-actions.js';
import { ManagedStudent, SavedStudentResult, savedStudent } from '../students/student.types.js';
import { ResetSecondFactor } from './commands/reset-second-factor.js';
import { SecondFactors } from './second-factors.js';
import { FactorCheck } from './factor-check.js';
import type { ClientKey } from '../../platform/callers/client-address.js';

/** Lets a maintainer help a student who lost both the device and the recovery codes. */
@Resolver()
export class FactorResetResolver {
  constructor(
    readonly pool: Pool,
    private readonly commands: CommandBus,
    readonly acts: OwnStaffActions,
  ) {}

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedStudentResult, {
    description:
      "Removes another user's second factors and recovery codes and ends their sessions. Not available for your own account.",
  })
  async resetSecondFactor(
    @Context() request: RequestContext,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('reason', { type: () => String }) reason: string,
  ): Promise<SavedStudentResult> {
    const context = commandContext(request, 'resetSecondFactor');
    await this.commands.execute(new ResetSecondFactor(context, studentId, reason));
    return savedStudent(this, context, studentId);
  }
}

@Resolver(() => ManagedStudent)
export class ManagedFactorResolver {
  constructor(private readonly factors: SecondFactors) {}

  @ResolveField(() => Boolean)
  hasSecondFactor(
    @Parent() { _id }: ManagedStudent,
    @Context() { loaders }: RequestContext,
  ): Promise<boolean> {
    return loaders
      .of(ManagedFactorResolver, () => new DataLoader((ids: readonly string[]) => this.factors.areSetUp(ids)))
      .load(_id);
  }
}

interface PasswordReset {
  readonly student: Pick<Student, 'studentId' | 'roles'>;
  /** Where the reset code or link was sent. */
  readonly by: 'phone' | 'mail';
  readonly factorCode: string | null | undefined;
  readonly client: ClientKey;
}

/** Access to a phone or mailbox replaces the password, never the second factor. */
@Injectable()
export class ResetGuard {
  constructor(
    private readonly factors: SecondFactors,
    private readonly check: FactorCheck,
  ) {}

  /**
   * Verifies the second factor if one is set up. Staff without one cannot reset by SMS: a maintainer has to revoke the role first
   * and grant it again afterwards.
   */
  async requireMayReset({ student, by, factorCode, client }: PasswordReset): Promise<void> {
    const { studentId, roles } = student;
    if (!(await this.factors.isSetUp(studentId))) {
      if (by === 'phone' && roles.length > 0) throw new DomainError('RESET_BY_PHONE_ALONE');
      return;
    }
    if (typeof factorCode !== 'string' || factorCode.trim() === '')
      throw new DomainError('SECOND_FACTOR_REQUIRED');
    await this.check.verify({ hash: '', studentId }, { code: factorCode }, client);
  }
}

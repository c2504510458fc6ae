import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Pool } from 'pg';
import DataLoader from 'dataloader';
import { Injectable } from '@nestjs/common';
import { DomainError, type Student } from '@nimo/domain';
import { HasRole } from '../../platform/auth/access.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { OwnActs } from '../acts/own-acts.js';
import { ManagedStudent, SavedStudentResult, savedStudent } from '../students/student.types.js';
import { ResetSecondFactor } from './commands/reset-second-factor.js';
import { SecondFactors } from './second-factors.js';
import { FactorCheck } from './factor-check.js';
import type { ClientKey } from '../../platform/callers/client-address.js';

/** For somebody who lost the device and the recovery codes. */
@Resolver()
export class FactorResetResolver {
  constructor(
    readonly pool: Pool,
    private readonly commands: CommandBus,
    readonly acts: OwnActs,
  ) {}

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedStudentResult, {
    description: 'Of somebody else. Removes every factor and recovery code and ends the sessions.',
  })
  async resetSecondFactor(
    @Context() request: RequestContext,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('reason', { type: () => String }) reason: string,
  ): Promise<SavedStudentResult> {
    const context = commandOf(request, 'resetSecondFactor');
    await this.commands.execute(new ResetSecondFactor(context, studentId, reason));
    return savedStudent(this, context, studentId);
  }
}

/** Whether there is something to reset. */
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

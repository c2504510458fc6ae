import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Resolver } from '@nestjs/graphql';
import { Pool } from 'pg';
import { HasRole } from '../../platform/auth/access.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { OwnActs } from '../acts/own-acts.js';
import { SavedStudentResult } from '../students/managed-student.type.js';
import { savedStudent } from '../students/saved-student.js';
import { ResetSecondFactor } from './commands/reset-second-factor.js';

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

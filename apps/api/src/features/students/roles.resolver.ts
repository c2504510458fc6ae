import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import type { Role } from '@nimo/domain';
import { listRoleHolders } from '@nimo/projections';
import { Pool } from 'pg';
import { HasRole } from '../../platform/auth/access.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe, optionalIdOf } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { OwnActs } from '../acts/own-acts.js';
import { GrantRole } from './commands/grant-role.js';
import { RevokeRole } from './commands/revoke-role.js';
import { ManagedStudent, SavedStudentResult } from './managed-student.type.js';
import { savedStudent } from './saved-student.js';
import { RoleEnum } from './student.type.js';
import { LeavesNoTrace } from '../../platform/traces/confidential.js';

const SPACE = { nullable: true, description: 'Left out: in all spaces.' } as const;

/** Who looks after what. A change holds from the next request of that student on. */
@Resolver()
export class RolesResolver {
  constructor(
    readonly pool: Pool,
    private readonly commands: CommandBus,
    readonly acts: OwnActs,
  ) {}

  @HasRole('MAINTAINER')
  @LeavesNoTrace('who holds an office, whom members may know')
  @Query(() => [ManagedStudent], { description: 'Everybody who holds a role.' })
  getRoleHolders(): Promise<readonly ManagedStudent[]> {
    return listRoleHolders(this.pool);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedStudentResult)
  async grantRole(
    @Context() request: RequestContext,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('role', { type: () => RoleEnum }) role: Role,
    @Args('space', { type: () => ID, ...SPACE }) space?: string | null,
  ): Promise<SavedStudentResult> {
    const spaceId = optionalIdOf('space', space) ?? null;
    const context = commandOf(request, 'grantRole');
    await this.commands.execute(new GrantRole(context, { studentId, role, spaceId }));
    return savedStudent(this, context, studentId);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedStudentResult, {
    description: 'Nobody takes the maintainer role from oneself, so that one is always left.',
  })
  async revokeRole(
    @Context() request: RequestContext,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('role', { type: () => RoleEnum }) role: Role,
    @Args('space', { type: () => ID, ...SPACE }) space?: string | null,
  ): Promise<SavedStudentResult> {
    const spaceId = optionalIdOf('space', space) ?? null;
    const context = commandOf(request, 'revokeRole');
    await this.commands.execute(new RevokeRole(context, { studentId, role, spaceId }));
    return savedStudent(this, context, studentId);
  }
}

import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { MANAGED_PAGE_SIZE, normalisePhone, type Role } from '@nimo/domain';
import { listRoleHolders, pageOfStudents } from '@nimo/projections';
import { Pool } from 'pg';
import { HasRole } from '../../platform/auth/access.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe, parseOptionalId } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { OwnStaffActions } from '../staff-actions/own-staff-actions.js';
import { BlockStudent, UnblockStudent } from './commands/block-student.js';
import {
  ManagedStudent,
  ManagedStudentPage,
  RoleEnum,
  SavedStudentResult,
  savedStudent,
} from './student.types.js';
import { Confidential, Untraced } from '../../platform/traces/traces.js';
import { GrantRole, RevokeRole } from './commands/roles.js';

/** Lets maintainers manage students of all spaces. Moderators use `blockStudent` for their own spaces. */
@Resolver()
export class StudentManagementResolver {
  constructor(
    readonly pool: Pool,
    private readonly commands: CommandBus,
    readonly acts: OwnStaffActions,
  ) {}

  @HasRole('MAINTAINER')
  @Confidential<{ search?: string | null; isBlocked?: boolean | null }, ManagedStudentPage>(
    'PEOPLE',
    ({ args: { search, isBlocked }, result: { docs } }) => ({
      filter: { search: search?.trim() === '' ? null : search, isBlocked },
      rows: docs.length,
    }),
  )
  @Query(() => ManagedStudentPage, {
    description:
      'Ordered by user name. `search` matches the start of a name, or a full phone number, email address or id.',
  })
  getManagedStudents(
    @Args('search', { type: () => String, nullable: true }) search?: string | null,
    @Args('isBlocked', { type: () => Boolean, nullable: true }) isBlocked?: boolean | null,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<ManagedStudentPage> {
    const { page, limit } = parsePage(options ?? {}, MANAGED_PAGE_SIZE);
    return pageOfStudents(this.pool, {
      search: searchOf(search ?? ''),
      isBlocked: isBlocked ?? undefined,
      page,
      limit,
    });
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedStudentResult, {
    description: 'Ends all sessions and prevents the student from logging in.',
  })
  async blockAccount(
    @Context() request: RequestContext,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('reason', { type: () => String }) reason: string,
  ): Promise<SavedStudentResult> {
    const context = commandContext(request, 'blockAccount');
    await this.commands.execute(new BlockStudent(context, studentId, reason));
    return savedStudent(this, context, studentId);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedStudentResult)
  async unblockAccount(
    @Context() request: RequestContext,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('reason', { type: () => String, nullable: true }) reason?: string | null,
  ): Promise<SavedStudentResult> {
    const context = commandContext(request, 'unblockAccount');
    await this.commands.execute(new UnblockStudent(context, studentId, reason));
    return savedStudent(this, context, studentId);
  }
}

/** Phone numbers are stored normalised. */
const searchOf = (text: string): string =>
  /^\+?[\d\s()-]{10,}$/.test(text.trim()) ? normalisePhone(text.replace(/\D/g, '')) : text;

const SPACE = { nullable: true, description: 'Omit for all spaces.' } as const;

/** Grants and revokes roles. Changes apply from the student's next request. */
@Resolver()
export class RolesResolver {
  constructor(
    readonly pool: Pool,
    private readonly commands: CommandBus,
    readonly acts: OwnStaffActions,
  ) {}

  @HasRole('MAINTAINER')
  @Untraced('role holders are known to members')
  @Query(() => [ManagedStudent], { description: 'All users with a role.' })
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
    const spaceId = parseOptionalId('space', space) ?? null;
    const context = commandContext(request, 'grantRole');
    await this.commands.execute(new GrantRole(context, { studentId, role, spaceId }));
    return savedStudent(this, context, studentId);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedStudentResult, {
    description: 'Maintainers cannot revoke their own maintainer role, so at least one always remains.',
  })
  async revokeRole(
    @Context() request: RequestContext,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('role', { type: () => RoleEnum }) role: Role,
    @Args('space', { type: () => ID, ...SPACE }) space?: string | null,
  ): Promise<SavedStudentResult> {
    const spaceId = parseOptionalId('space', space) ?? null;
    const context = commandContext(request, 'revokeRole');
    await this.commands.execute(new RevokeRole(context, { studentId, role, spaceId }));
    return savedStudent(this, context, studentId);
  }
}

import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { DomainError } from '@nimo/domain';
import { findStudentByUserName, listInvitedStudents } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { LeavesNoTrace } from '../../platform/traces/confidential.js';
import { FlagResult } from '../sessions/login-result.type.js';
import { Author } from '../students/author.type.js';
import { InviteStudent, RevokeStudentInvitation } from './commands/invite-student.js';

/** Invitations of students by name, by those who moderate the space and by maintainers. */
@Resolver()
export class StudentInvitationsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
  ) {}

  @HasRole('MODERATOR', 'MAINTAINER')
  @LeavesNoTrace('whom staff invited, by the names that members see')
  @Query(() => [Author], { description: 'Who was invited and has not joined yet, by user name.' })
  async getInvitedStudents(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<Author[]> {
    assertStaffOf(viewer, spaceId);
    return listInvitedStudents(this.pool, spaceId);
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => FlagResult, { description: 'Lets a student join a space that is not open, once.' })
  async inviteStudent(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('userName', { type: () => String }) userName: string,
  ): Promise<FlagResult> {
    const context = commandOf(request, 'inviteStudent');
    assertStaffOf(viewer, spaceId);
    const student = await findStudentByUserName(this.pool, userName.trim());
    if (!student) throw new DomainError('STUDENT_NOT_FOUND');
    await this.commands.execute(new InviteStudent(context, spaceId, student._id));
    return { flag: 1 };
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => FlagResult)
  async revokeStudentInvitation(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
  ): Promise<FlagResult> {
    const context = commandOf(request, 'revokeStudentInvitation');
    await this.commands.execute(new RevokeStudentInvitation(context, spaceId, studentId));
    return { flag: 1 };
  }
}

function assertStaffOf(viewer: Viewer, spaceId: string): void {
  if (!hasRole(viewer, 'MODERATOR', spaceId) && !hasRole(viewer, 'MAINTAINER'))
    throw new DomainError('FORBIDDEN');
}

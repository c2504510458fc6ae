import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, Field, ID, Mutation, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { DomainError, type ReportedPostType } from '@nimo/domain';
import { findPersonOfSpace, listWarnings } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { hasRole, moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { FlagResult } from '../../platform/errors/refusal.js';
import { IdPipe, parseOptionalId } from '../../platform/graphql/arguments.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { Confidential } from '../../platform/traces/traces.js';
import { ModerationAccess } from '../moderation/moderation-cases.js';
import { PostTypeEnum } from '../reports/reports.resolver.js';
import { Author } from '../students/student.types.js';
import { WarnMember } from './commands/warn-member.js';

@ObjectType({ description: 'The case of the post that a warning is about.' })
class WarningCase {
  @Field(() => ID) readonly postId!: string;
  @Field(() => PostTypeEnum) readonly postType!: ReportedPostType;
  @Field(() => String, { description: 'Title of the question.' }) readonly title!: string;
}

@ObjectType({ description: 'A warning of a student, for moderators of its space.' })
class StudentWarning {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'As shown to the student. Plain text.' }) readonly text!: string;
  @Field(() => DateTimeScalar) readonly warnedAt!: string;
  @Field(() => ID) readonly spaceId!: string;
  @Field(() => String) readonly spaceName!: string;
  @Field(() => Author, { nullable: true, description: 'Null if the moderator was erased.' })
  readonly moderator!: Author | null;
  @Field(() => WarningCase, { nullable: true, description: 'Null if the warning is about no post.' })
  readonly post!: WarningCase | null;
}

/** Warnings of students by moderators. */
@Resolver()
export class WarningsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly access: ModerationAccess,
  ) {}

  @HasRole('MODERATOR')
  @Confidential<{ readonly studentId: string }, StudentWarning[]>(
    'WARNINGS',
    ({ args: { studentId }, result }) => ({
      spaceIds: result.map(({ spaceId }) => spaceId),
      studentIds: [studentId],
      rows: result.length,
    }),
  )
  @Query(() => [StudentWarning], {
    description:
      'Warnings of a student in the spaces that the caller moderates, newest first. Warnings of the caller are not accessible.',
  })
  async getStudentWarnings(
    @CurrentViewer() viewer: Viewer,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
  ): Promise<StudentWarning[]> {
    if (studentId === viewer.studentId) throw new DomainError('FORBIDDEN');
    return listWarnings(this.pool, { studentId, spaces: moderatedSpaces(viewer) });
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => FlagResult, {
    description: 'Warns a member. Only notifies the student, who does not read the name of the moderator.',
  })
  async warnMember(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('text', { type: () => String }) text: string,
    @Args('postId', { type: () => ID, nullable: true }) postId?: string | null,
  ): Promise<FlagResult> {
    const context = commandContext(request, 'warnMember');
    if (!hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('FORBIDDEN');
    if (!(await findPersonOfSpace(this.pool, { studentId, spaceId })))
      throw new DomainError('STUDENT_NOT_FOUND');
    const reported = parseOptionalId('postId', postId);
    const post = reported === undefined ? null : await this.access.requireCase(viewer, reported);
    await this.commands.execute(new WarnMember(context, { studentId, spaceId, text, post }));
    // Never returns the warnings, because only the query records the access.
    return { flag: 1 };
  }
}

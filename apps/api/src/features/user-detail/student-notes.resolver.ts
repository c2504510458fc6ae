import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver, Field, ObjectType } from '@nestjs/graphql';
import { DomainError, requireNoteReader } from '@nimo/domain';
import { findNotesOn, findPersonOfSpace } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { Confidential } from '../../platform/traces/traces.js';
import { ChangeNotes, type NoteChange } from './commands/change-notes.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Author } from '../students/student.types.js';
import { FlagResult } from '../../platform/errors/refusal.js';

@ObjectType({
  description: 'For moderators of the space and maintainers. Never shown to the student concerned.',
})
class StudentNote {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'Plain text.' }) readonly text!: string;
  @Field(() => DateTimeScalar) readonly writtenAt!: string;
  @Field(() => Author, { nullable: true, description: 'Null if the author was erased.' })
  readonly author!: Author | null;
}

interface About {
  readonly studentId: string;
  readonly space: string;
}

/** Staff notes on a student of a space. */
@Resolver()
export class StudentNotesResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
  ) {}

  @HasRole('MODERATOR', 'MAINTAINER')
  @Confidential<About, StudentNote[]>('NOTES', ({ args: { studentId, space }, result }) => ({
    spaceIds: [space],
    studentIds: [studentId],
    rows: result.length,
  }))
  @Query(() => [StudentNote], {
    description:
      'Newest first. For moderators of the space and maintainers; notes on the caller are not accessible.',
  })
  async getStudentNotes(
    @CurrentViewer() viewer: Viewer,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<StudentNote[]> {
    await this.assertMayRead(viewer, studentId, spaceId);
    return findNotesOn(this.pool, { studentId, spaceId });
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => FlagResult)
  writeStudentNote(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('text', { type: () => String }) text: string,
  ): Promise<FlagResult> {
    return this.change(request, viewer, 'writeStudentNote', { studentId, spaceId, change: { write: text } });
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => FlagResult, { description: 'For the author and maintainers.' })
  removeStudentNote(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('note', { type: () => ID }, IdPipe) noteId: string,
  ): Promise<FlagResult> {
    return this.change(request, viewer, 'removeStudentNote', {
      studentId,
      spaceId,
      change: { remove: noteId },
    });
  }

  private async change(
    request: RequestContext,
    viewer: Viewer,
    operation: string,
    of: NoteChange,
  ): Promise<FlagResult> {
    const context = commandContext(request, operation);
    await this.assertMayRead(viewer, of.studentId, of.spaceId);
    await this.commands.execute(new ChangeNotes(context, of));
    // Never returns the notes, because only the query records the access.
    return { flag: 1 };
  }

  private async assertMayRead(viewer: Viewer, studentId: string, spaceId: string): Promise<void> {
    requireNoteReader({ by: viewer, spaceId, studentId });
    if (!(await findPersonOfSpace(this.pool, { studentId, spaceId })))
      throw new DomainError('STUDENT_NOT_FOUND');
  }
}

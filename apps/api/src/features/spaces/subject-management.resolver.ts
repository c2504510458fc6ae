import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { DomainError } from '@nimo/domain';
import { findManagedSubject, findSubjectById, listManagedSubjects } from '@nimo/projections';
import { Pool } from 'pg';
import { HasRole } from '../../platform/auth/access.js';
import { commandOf, type CommandContext } from '../../platform/commands/command-context.js';
import { given, IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { OwnActs } from '../acts/own-acts.js';
import { AddSubject } from './commands/add-subject.js';
import { ChangeSubject } from './commands/change-subject.js';
import { ManagedSubject, SavedSubjectResult, SubjectChange } from './managed-space.type.js';
import { LeavesNoTrace } from '../../platform/traces/confidential.js';

/** What is asked about in a space, as maintainers set it. */
@Resolver(() => ManagedSubject)
export class SubjectManagementResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly acts: OwnActs,
  ) {}

  @HasRole('MAINTAINER')
  @LeavesNoTrace('what is asked about, nobody’s data')
  @Query(() => [ManagedSubject], { description: 'By name.' })
  getManagedSubjects(@Args('space', { type: () => ID }, IdPipe) spaceId: string): Promise<ManagedSubject[]> {
    return listManagedSubjects(this.pool, spaceId);
  }

  @HasRole('MAINTAINER')
  @Limited('posts')
  @Mutation(() => SavedSubjectResult)
  async addSubject(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('subjectName', { type: () => String }) subjectName: string,
    @Args('color', { type: () => String, description: 'Hex without #.' }) color: string,
  ): Promise<SavedSubjectResult> {
    const context = commandOf(request, 'addSubject');
    const id = await this.commands.execute(new AddSubject(context, { spaceId, subjectName, color }));
    return this.saved(context, id);
  }

  @HasRole('MAINTAINER')
  @Limited('posts')
  @Mutation(() => SavedSubjectResult, { description: 'Refused where what `seen` says is not so any more.' })
  async changeSubject(
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }, IdPipe) subjectId: string,
    @Args('change', { type: () => SubjectChange }) change: SubjectChange,
    @Args('seen', { type: () => SubjectChange, nullable: true }) seen?: SubjectChange | null,
  ): Promise<SavedSubjectResult> {
    const context = commandOf(request, 'changeSubject');
    const subject = await findSubjectById(this.pool, subjectId);
    if (!subject) throw new DomainError('SUBJECT_NOT_FOUND');
    await this.commands.execute(
      new ChangeSubject(context, subject.spaceId, {
        subjectId,
        change: given(change),
        seen: given(seen ?? {}),
      }),
    );
    return this.saved(context, subjectId);
  }

  private async saved(context: CommandContext, subjectId: string): Promise<SavedSubjectResult> {
    const subject = await findManagedSubject(this.pool, subjectId);
    if (!subject) throw new DomainError('SUBJECT_NOT_FOUND');
    return { subject, act: await this.acts.ordinalOf(context) };
  }
}

import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver, Field, Int, ObjectType } from '@nestjs/graphql';
import { DomainError, ENTRY_REQUESTS_PAGE_SIZE } from '@nimo/domain';
import { findSpaceById, pageOfEntryRequests } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole, SignedIn } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { pageOf, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { LeavesNoTrace } from '../../platform/traces/confidential.js';
import { FlagResult } from '../sessions/login-result.type.js';
import { AnswerEntryRequest, RemoveMember } from './commands/answer-entry-request.js';
import { RequestEntry, WithdrawEntryRequest } from './commands/request-entry.js';
import { Space } from './space.type.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Author } from '../students/author.type.js';

@ObjectType({ description: 'A student who asks to join a space.' })
class EntryRequest {
  @Field(() => ID, { description: 'The student’s.' }) readonly _id!: string;
  @Field(() => Author) readonly student!: Author;
  @Field(() => String, { nullable: true }) readonly text!: string | null;
  @Field(() => DateTimeScalar) readonly requestedAt!: string;
}

@ObjectType()
class EntryRequestPage {
  @Field(() => [EntryRequest]) readonly docs!: readonly EntryRequest[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Boolean) readonly hasNext!: boolean;
}

/** Asking to join a space, and the answers of its moderators. */
@Resolver()
export class EntryRequestsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
  ) {}

  @SignedIn()
  @Limited('toggles', { andOn: ['togglesOfOne', 'spaceId'] })
  @Mutation(() => Space, { description: 'Asks the moderators of a space that is joined by request.' })
  async requestEntry(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Args('text', { type: () => String, nullable: true }) text?: string | null,
  ): Promise<Space> {
    await this.commands.execute(new RequestEntry(commandOf(request, 'requestEntry'), spaceId, text ?? null));
    return this.space(spaceId, viewer);
  }

  @SignedIn()
  @Limited('toggles', { andOn: ['togglesOfOne', 'spaceId'] })
  @Mutation(() => Space)
  async withdrawEntryRequest(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<Space> {
    await this.commands.execute(
      new WithdrawEntryRequest(commandOf(request, 'withdrawEntryRequest'), spaceId),
    );
    return this.space(spaceId, viewer);
  }

  @HasRole('MODERATOR')
  @LeavesNoTrace('written to the moderators by those whom it is about')
  @Query(() => EntryRequestPage, { description: 'Who waits for an answer, the longest first.' })
  async getEntryRequests(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<EntryRequestPage> {
    if (!hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('FORBIDDEN');
    const { page, limit } = pageOf(options ?? {}, ENTRY_REQUESTS_PAGE_SIZE);
    return pageOfEntryRequests(this.pool, { spaceId, page, limit });
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => FlagResult, {
    description: 'By moderators of the space. Of two answers the first one counts.',
  })
  async answerEntryRequest(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('isAccepted', { type: () => Boolean }) isAccepted: boolean,
    @Args('reason', { type: () => String, nullable: true, description: 'Of a refusal, for the student.' })
    reason?: string | null,
  ): Promise<FlagResult> {
    const answer = { spaceId, studentId, isAccepted, reason: reason ?? null };
    await this.commands.execute(new AnswerEntryRequest(commandOf(request, 'answerEntryRequest'), answer));
    return { flag: 1 };
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => FlagResult, {
    description: 'By moderators, out of a space that is not open. Posts and score stay.',
  })
  async removeMember(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('reason', { type: () => String }) reason: string,
  ): Promise<FlagResult> {
    const context = commandOf(request, 'removeMember');
    await this.commands.execute(new RemoveMember(context, { spaceId, studentId, reason }));
    return { flag: 1 };
  }

  private async space(spaceId: string, viewer: Viewer): Promise<Space> {
    const space = await findSpaceById(this.pool, spaceId, viewer.studentId);
    if (!space) throw new DomainError('SPACE_NOT_FOUND');
    return space;
  }
}

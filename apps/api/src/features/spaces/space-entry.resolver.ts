import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { DomainError, ENTRY_REQUESTS_PAGE_SIZE } from '@nimo/domain';
import {
  findSpaceById,
  findStudentByUserName,
  listInvitedStudents,
  pageOfEntryRequests,
} from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole, OptionalViewer, Public, SignedIn } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import type { ClientKey } from '../../platform/callers/client-address.js';
import { commandContext } from '../../platform/commands/command-context.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { Invitations } from '../invitations/invitations.js';
import { JoinSpace } from './commands/join-space.js';
import { Space } from './space.types.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import { Untraced } from '../../platform/traces/traces.js';
import {
  AnswerEntryRequest,
  InviteStudent,
  RemoveMember,
  RequestEntry,
  RevokeStudentInvitation,
  WithdrawEntryRequest,
} from './commands/request-entry.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Author } from '../students/student.types.js';
import { FlagResult } from '../../platform/errors/refusal.js';

const SECRET = { type: () => String, description: 'The fragment of an invitation link, or a code.' } as const;

const ALL = 'all';

/** Shows the space of an invitation link or code, even before sign-up, and joins it. */
@Resolver()
export class EntryByInvitationResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly invitations: Invitations,
    private readonly limiter: RateLimiter,
  ) {}

  @Public()
  @Query(() => Space, {
    description:
      'The space of an invitation. The `rule` of the error says why an invitation is no longer valid. After too many wrong codes without an account, log in first.',
  })
  async getInvitedSpace(
    @Context() { client }: RequestContext,
    @OptionalViewer() viewer: Viewer | null,
    @Args('secret', SECRET) secret: string,
  ): Promise<Space> {
    await this.limiter.use('invitationTriesPerAddress', client);
    if (viewer) await this.limiter.use('invitationTries', viewer.studentId);
    const find = () => this.invitations.find(secret, viewer?.studentId ?? null);
    const { spaceId } = viewer ? await find() : await this.countingMisses(client, find);
    return this.space(spaceId, viewer);
  }

  /** Without an account, only wrong codes count, so that a class behind one address can look up the right one. */
  private async countingMisses<Found>(client: ClientKey, find: () => Promise<Found>): Promise<Found> {
    const limits = [
      [this.limiter.scaled('invitationMissesPerAddress'), client],
      [this.limiter.scaled('invitationMisses'), ALL],
    ] as const;
    for (const [limit, subject] of limits)
      if (!(await this.limiter.hasRemaining(limit, subject))) throw new DomainError(limit.code);
    try {
      return await find();
    } catch (error) {
      if (error instanceof DomainError && error.code === 'INVITATION_UNKNOWN')
        for (const [limit, subject] of limits) await this.limiter.tryUseExactly(limit, subject);
      throw error;
    }
  }

  @SignedIn()
  @Limited('invitationTries')
  @Mutation(() => Space, {
    description: 'Joins the space of the invitation. Each person counts as one use.',
  })
  async joinByInvitation(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('secret', SECRET) secret: string,
  ): Promise<Space> {
    const { studentId } = viewer;
    await this.limiter.use('invitationTriesPerAddress', request.client);
    const { id, spaceId, isNew } = await this.invitations.recordUse(secret, studentId);
    const context = commandContext(request, 'joinByInvitation');
    try {
      const joined = await this.commands.execute(new JoinSpace(context, spaceId, false, id));
      // A concurrent call by the same student may have joined with another invitation, which is then the one used.
      if (isNew && joined.invitationId !== id) await this.invitations.undoUse(id, studentId);
    } catch (error) {
      // A rejected join uses nothing. After a crash before this line, the use stays reserved for the student.
      if (isNew && error instanceof DomainError) await this.invitations.undoUse(id, studentId);
      throw error;
    }
    return this.space(spaceId, viewer);
  }

  private async space(spaceId: string, viewer: Viewer | null): Promise<Space> {
    const space = await findSpaceById(this.pool, spaceId, viewer?.studentId ?? null);
    if (!space) throw new DomainError('SPACE_NOT_FOUND');
    return space;
  }
}

@ObjectType({ description: "A student's request to join a space." })
class EntryRequest {
  @Field(() => ID, { description: 'Id of the student.' }) readonly _id!: string;
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

/** Requests to join a space and the moderators' answers. */
@Resolver()
export class EntryRequestsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
  ) {}

  @SignedIn()
  @Limited('toggles', { andOn: ['togglesOfOne', 'spaceId'] })
  @Mutation(() => Space, {
    description: 'Asks the moderators to join a space that admits students by request.',
  })
  async requestEntry(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Args('text', { type: () => String, nullable: true }) text?: string | null,
  ): Promise<Space> {
    await this.commands.execute(
      new RequestEntry(commandContext(request, 'requestEntry'), spaceId, text ?? null),
    );
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
      new WithdrawEntryRequest(commandContext(request, 'withdrawEntryRequest'), spaceId),
    );
    return this.space(spaceId, viewer);
  }

  @HasRole('MODERATOR')
  @Untraced('written to the moderators by the students themselves')
  @Query(() => EntryRequestPage, { description: 'Open requests, oldest first.' })
  async getEntryRequests(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<EntryRequestPage> {
    if (!hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('FORBIDDEN');
    const { page, limit } = parsePage(options ?? {}, ENTRY_REQUESTS_PAGE_SIZE);
    return pageOfEntryRequests(this.pool, { spaceId, page, limit });
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => FlagResult, {
    description: 'For moderators of the space. The first answer counts.',
  })
  async answerEntryRequest(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('isAccepted', { type: () => Boolean }) isAccepted: boolean,
    @Args('reason', { type: () => String, nullable: true, description: 'For the student, if refused.' })
    reason?: string | null,
  ): Promise<FlagResult> {
    const answer = { spaceId, studentId, isAccepted, reason: reason ?? null };
    await this.commands.execute(
      new AnswerEntryRequest(commandContext(request, 'answerEntryRequest'), answer),
    );
    return { flag: 1 };
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => FlagResult, {
    description: 'For moderators of a space that is not open. Posts and score are kept.',
  })
  async removeMember(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('reason', { type: () => String }) reason: string,
  ): Promise<FlagResult> {
    const context = commandContext(request, 'removeMember');
    await this.commands.execute(new RemoveMember(context, { spaceId, studentId, reason }));
    return { flag: 1 };
  }

  private async space(spaceId: string, viewer: Viewer): Promise<Space> {
    const space = await findSpaceById(this.pool, spaceId, viewer.studentId);
    if (!space) throw new DomainError('SPACE_NOT_FOUND');
    return space;
  }
}

/** Invites students by user name. For moderators of the space and maintainers. */
@Resolver()
export class StudentInvitationsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
  ) {}

  @HasRole('MODERATOR', 'MAINTAINER')
  @Untraced('invited students, under the names that members see')
  @Query(() => [Author], { description: 'Invited students who have not joined yet, ordered by user name.' })
  async getInvitedStudents(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<Author[]> {
    assertStaffOf(viewer, spaceId);
    return listInvitedStudents(this.pool, spaceId);
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => FlagResult, { description: 'Invites a student to a space that is not open. Valid once.' })
  async inviteStudent(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('userName', { type: () => String }) userName: string,
  ): Promise<FlagResult> {
    const context = commandContext(request, 'inviteStudent');
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
    const context = commandContext(request, 'revokeStudentInvitation');
    await this.commands.execute(new RevokeStudentInvitation(context, spaceId, studentId));
    return { flag: 1 };
  }
}

function assertStaffOf(viewer: Viewer, spaceId: string): void {
  if (!hasRole(viewer, 'MODERATOR', spaceId) && !hasRole(viewer, 'MAINTAINER'))
    throw new DomainError('FORBIDDEN');
}

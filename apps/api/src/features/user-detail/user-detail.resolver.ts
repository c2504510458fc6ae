import { Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { DomainError, isRobot, mayBlockAccounts } from '@nimo/domain';
import {
  findLeaderboardScore,
  findOwnSuspension,
  findPersonOfSpace,
  pageOfStudentPosts,
  type SpacePersonView,
} from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole, SignedIn } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { BlockStudent, UnblockStudent } from '../students/commands/block-student.js';
import { SuspendMember } from './commands/suspend-member.js';
import { blockingOf, NOT_STAFF } from './blockable.js';
import { OwnSuspension, StudentDetail, StudentPostPage } from './student-detail.type.js';

const POSTS_PAGE_SIZE = 20;

/** A student as members of a space see them, and blocking by moderators. */
@Resolver(() => StudentDetail)
export class UserDetailResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly access: SpaceAccess,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'objectionContact'>,
  ) {}

  @SignedIn()
  @Query(() => StudentDetail, {
    nullable: true,
    description: 'For members of the space. Null if the student never was a member.',
  })
  async getStudentDetail(
    @CurrentViewer() viewer: Viewer,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<StudentDetail | null> {
    await this.access.assertMayRead(viewer, spaceId);
    return this.detail(viewer, studentId, spaceId);
  }

  @SignedIn()
  @Query(() => StudentPostPage, { description: 'Questions and answers in the space, newest first.' })
  async getStudentPosts(
    @CurrentViewer() viewer: Viewer,
    @Args('student', { type: () => ID }, IdPipe) studentId: string,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<StudentPostPage> {
    const { page, limit } = parsePage(options ?? {}, POSTS_PAGE_SIZE);
    await this.access.assertMayRead(viewer, spaceId);
    // People unknown to the space have no posts to list: stand-ins write none, erased users have no page.
    if (!(await findPersonOfSpace(this.pool, { studentId, spaceId })))
      return { docs: [], page, totalPages: 0, total: 0 };
    return pageOfStudentPosts(this.pool, { studentId, spaceId, page, limit });
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => StudentDetail, {
    description:
      'By moderators of all spaces and maintainers: blocks the account, ends its sessions and prevents logins. By moderators of the space: suspends participation there.',
  })
  async blockStudent(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('reason', { type: () => String }) reason: string,
  ): Promise<StudentDetail> {
    const context = commandContext(request, 'blockStudent');
    await this.requirePerson(viewer, studentId, spaceId);
    await this.commands.execute(
      mayBlockAccounts(viewer)
        ? new BlockStudent(context, studentId, reason)
        : new SuspendMember(context, { studentId, spaceId, reason }, 'suspend'),
    );
    return this.requireDetail(viewer, studentId, spaceId);
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => StudentDetail, {
    description:
      'Suspends participation in the space. The student can still read there. Replaces a suspension by the same or a lower rank.',
  })
  async suspendMember(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('reason', { type: () => String }) reason: string,
    @Args('until', { type: () => DateTimeScalar, nullable: true }) until?: string | null,
  ): Promise<StudentDetail> {
    const context = commandContext(request, 'suspendMember');
    await this.requirePerson(viewer, studentId, spaceId);
    const suspension = { studentId, spaceId, reason, until: until ?? null };
    await this.commands.execute(new SuspendMember(context, suspension, 'suspend'));
    return this.requireDetail(viewer, studentId, spaceId);
  }

  @SignedIn()
  @Query(() => OwnSuspension, {
    nullable: true,
    description: 'Suspension of the caller in the space; null if there is none now.',
  })
  async getOwnSuspension(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<OwnSuspension | null> {
    const suspension = await findOwnSuspension(this.pool, { spaceId, studentId: viewer.studentId });
    return suspension && { ...suspension, objectTo: this.settings.objectionContact ?? null };
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => StudentDetail, {
    description: 'Lifts the block of the account, or else the suspension in the space.',
  })
  async unblockStudent(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('reason', { type: () => String, nullable: true }) reason?: string | null,
  ): Promise<StudentDetail> {
    const context = commandContext(request, 'unblockStudent');
    const { isBlocked } = await this.requirePerson(viewer, studentId, spaceId);
    await this.commands.execute(
      isBlocked
        ? new UnblockStudent(context, studentId, reason)
        : new SuspendMember(context, { studentId, spaceId, reason: reason ?? null }, 'lift'),
    );
    return this.requireDetail(viewer, studentId, spaceId);
  }

  /** Leaves the rules about rank to the command. */
  private async requirePerson(viewer: Viewer, studentId: string, spaceId: string): Promise<SpacePersonView> {
    if (!hasRole(viewer, 'MODERATOR', spaceId) && !hasRole(viewer, 'MAINTAINER'))
      throw new DomainError('FORBIDDEN');
    const person = await findPersonOfSpace(this.pool, { studentId, spaceId });
    if (!person) throw new DomainError('STUDENT_NOT_FOUND');
    return person;
  }

  private async requireDetail(viewer: Viewer, studentId: string, spaceId: string): Promise<StudentDetail> {
    const detail = await this.detail(viewer, studentId, spaceId);
    if (!detail) throw new DomainError('STUDENT_NOT_FOUND');
    return detail;
  }

  private async detail(viewer: Viewer, studentId: string, spaceId: string): Promise<StudentDetail | null> {
    const [person, scores] = await Promise.all([
      findPersonOfSpace(this.pool, { studentId, spaceId }),
      findLeaderboardScore(this.pool, { spaceId, studentId, viewerId: viewer.studentId }),
    ]);
    if (!person) return null;
    const {
      isBlocked: _,
      blockedBy: __,
      suspendedBy: ___,
      suspendedUntil: ____,
      roles: _____,
      isSpaceArchived: ______,
      ...shown
    } = person;
    return {
      ...shown,
      isRobot: isRobot(studentId),
      ...countsOf(scores ?? NO_COUNTS),
      ...(blockingOf(viewer, person, spaceId) ?? NOT_STAFF),
    };
  }
}

/** Counts before the first contribution in the space. */
const NO_COUNTS = {
  reputations: 0,
  commitments: 0,
  score: 0,
  rank: null,
  questionsAsked: 0,
  questionsAnswered: 0,
  answersAccepted: 0,
};
type Counts = Pick<StudentDetail, keyof typeof NO_COUNTS>;

const countsOf = (counts: Counts): Counts => ({
  reputations: counts.reputations,
  commitments: counts.commitments,
  score: counts.score,
  rank: counts.rank,
  questionsAsked: counts.questionsAsked,
  questionsAnswered: counts.questionsAnswered,
  answersAccepted: counts.answersAccepted,
});

import { Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import { findSpaceById, isMemberOf, listSpaces, listSpacesOf, type Reader } from '@nimo/projections';
import { Pool } from 'pg';
import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { hasRole, moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';
import { assertActsAsSelf, CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe, FixedValuePipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { MatchingInvitations } from '../invitations/matching-invitations.js';
import { JoinSpace, LeaveSpace } from './commands/join-space.js';
import { Space } from './space.types.js';

/** The reader for queries that do not name a space. */
export const readerOf = (viewer: Viewer | null): Reader =>
  viewer ? { viewerId: viewer.studentId, moderated: moderatedSpaces(viewer) } : { viewerId: null };

/**
 * Applies the rule of `SpaceAccess` when membership is already known.
 * @throws DomainError NOT_A_MEMBER
 */
export function assertMember(viewer: Viewer, spaceId: string, isMember: boolean): void {
  if (!isMember && !hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('NOT_A_MEMBER');
}

/** Restricts lists, search, leaderboard and people of a space to its members and moderators. */
@Injectable()
export class SpaceAccess {
  constructor(private readonly pool: Pool) {}

  /** @throws DomainError NOT_A_MEMBER */
  async assertMayRead(viewer: Viewer, spaceId: string): Promise<void> {
    if (hasRole(viewer, 'MODERATOR', spaceId)) return;
    assertMember(viewer, spaceId, await isMemberOf(this.pool, spaceId, viewer.studentId));
  }
}

@Resolver(() => Space)
export class SpacesResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly matchingInvitations: MatchingInvitations,
  ) {}

  @SignedIn()
  @Query(() => [Space], { description: 'All spaces, largest first.' })
  async getSpaces(
    @CurrentViewer() viewer: Viewer,
    @Args('studentId', { type: () => ID, nullable: true }) studentId?: string | null,
    @Args('scope', { type: () => String, nullable: true }, new FixedValuePipe('world')) _scope?:
      | string
      | null,
  ): Promise<Space[]> {
    assertActsAsSelf(viewer, studentId);
    const [spaces, ways] = await Promise.all([
      listSpaces(this.pool, viewer.studentId),
      this.matchingInvitations.findBySpace(viewer.studentId),
    ]);
    return spaces.map((space) => ({ ...space, isInvited: space.isInvited || hasInvitation(space, ways) }));
  }

  @SignedIn()
  @Query(() => [Space], { description: 'Spaces the caller has joined.' })
  async getStudentSpaces(
    @CurrentViewer() viewer: Viewer,
    @Args('studentId', { type: () => ID, nullable: true }) studentId?: string | null,
    @Args('scope', { type: () => String, nullable: true }, new FixedValuePipe('world')) _scope?:
      | string
      | null,
  ): Promise<Space[]> {
    assertActsAsSelf(viewer, studentId);
    return listSpacesOf(this.pool, viewer.studentId);
  }

  @SignedIn()
  @Limited('toggles', { andOn: ['togglesOfOne', 'spaceId'] })
  @Mutation(() => Space)
  async joinSpace(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID, nullable: true }) studentId?: string | null,
    @Args('scope', { type: () => String, nullable: true }, new FixedValuePipe('world')) _scope?:
      | string
      | null,
  ): Promise<Space> {
    assertActsAsSelf(viewer, studentId);
    const { studentId: own } = viewer;
    const context = commandContext(request, 'joinSpace');
    const invitationId = (await this.matchingInvitations.findBySpace(own)).get(spaceId);
    const { isNew } = await this.commands.execute(new JoinSpace(context, spaceId, false, invitationId));
    if (isNew && invitationId !== undefined) await this.matchingInvitations.recordUse(invitationId, own);
    return this.space(spaceId, viewer);
  }

  @SignedIn()
  @Limited('toggles', { andOn: ['togglesOfOne', 'spaceId'] })
  @Mutation(() => Space)
  async leaveSpace(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID, nullable: true }) studentId?: string | null,
    @Args('scope', { type: () => String, nullable: true }, new FixedValuePipe('world')) _scope?:
      | string
      | null,
  ): Promise<Space> {
    assertActsAsSelf(viewer, studentId);
    await this.commands.execute(new LeaveSpace(commandContext(request, 'leaveSpace'), spaceId));
    return this.space(spaceId, viewer);
  }

  private async space(spaceId: string, viewer: Viewer): Promise<Space> {
    const space = await findSpaceById(this.pool, spaceId, viewer.studentId);
    if (!space) throw new DomainError('SPACE_NOT_FOUND');
    return space;
  }
}

/** Whether a list or rule invites the viewer. Members and open spaces need no invitation. */
const hasInvitation = ({ _id, joined, entry }: Space, ways: ReadonlyMap<string, string>): boolean =>
  !joined && entry !== 'OPEN' && ways.has(_id);

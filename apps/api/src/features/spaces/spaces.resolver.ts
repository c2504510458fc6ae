import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { DomainError } from '@nimo/domain';
import { findSpaceById, listSpaces, listSpacesOf } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import { assertActsAsSelf } from '../../platform/auth/acting-as.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe, OnlyValuePipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { WaysIn } from '../invitations/ways-in.js';
import { JoinSpace } from './commands/join-space.js';
import { LeaveSpace } from './commands/leave-space.js';
import { Space } from './space.type.js';

@Resolver(() => Space)
export class SpacesResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly waysIn: WaysIn,
  ) {}

  @SignedIn()
  @Query(() => [Space], { description: 'All spaces, those with the most members first.' })
  async getSpaces(
    @CurrentViewer() viewer: Viewer,
    @Args('studentId', { type: () => ID, nullable: true }) studentId?: string | null,
    @Args('scope', { type: () => String, nullable: true }, new OnlyValuePipe('world')) _scope?: string | null,
  ): Promise<Space[]> {
    assertActsAsSelf(viewer, studentId);
    const [spaces, ways] = await Promise.all([
      listSpaces(this.pool, viewer.studentId),
      this.waysIn.of(viewer.studentId),
    ]);
    return spaces.map((space) => ({ ...space, isInvited: space.isInvited || isWayIn(space, ways) }));
  }

  @SignedIn()
  @Query(() => [Space], { description: 'The spaces that the caller has joined.' })
  async getStudentSpaces(
    @CurrentViewer() viewer: Viewer,
    @Args('studentId', { type: () => ID, nullable: true }) studentId?: string | null,
    @Args('scope', { type: () => String, nullable: true }, new OnlyValuePipe('world')) _scope?: string | null,
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
    @Args('scope', { type: () => String, nullable: true }, new OnlyValuePipe('world')) _scope?: string | null,
  ): Promise<Space> {
    assertActsAsSelf(viewer, studentId);
    const { studentId: own } = viewer;
    const context = commandOf(request, 'joinSpace');
    const invitationId = (await this.waysIn.of(own)).get(spaceId);
    const { isNew } = await this.commands.execute(new JoinSpace(context, spaceId, false, invitationId));
    if (isNew && invitationId !== undefined) await this.waysIn.used(invitationId, own);
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
    @Args('scope', { type: () => String, nullable: true }, new OnlyValuePipe('world')) _scope?: string | null,
  ): Promise<Space> {
    assertActsAsSelf(viewer, studentId);
    await this.commands.execute(new LeaveSpace(commandOf(request, 'leaveSpace'), spaceId));
    return this.space(spaceId, viewer);
  }

  private async space(spaceId: string, viewer: Viewer): Promise<Space> {
    const space = await findSpaceById(this.pool, spaceId, viewer.studentId);
    if (!space) throw new DomainError('SPACE_NOT_FOUND');
    return space;
  }
}

/** By a list or a rule. Whoever is a member, or may join anyway, is not invited. */
const isWayIn = ({ _id, joined, entry }: Space, ways: ReadonlyMap<string, string>): boolean =>
  !joined && entry !== 'OPEN' && ways.has(_id);

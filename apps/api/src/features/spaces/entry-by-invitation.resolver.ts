import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, Mutation, Query, Resolver } from '@nestjs/graphql';
import { DomainError } from '@nimo/domain';
import { findSpaceById } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandOf } from '../../platform/commands/command-context.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { Invitations } from '../invitations/invitations.js';
import { JoinSpace } from './commands/join-space.js';
import { Space } from './space.type.js';

const SECRET = { type: () => String, description: 'What stands behind the # of a link, or a code.' } as const;

/** Into a space by a link or a code. Only who is signed in learns which space it is. */
@Resolver()
export class EntryByInvitationResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly invitations: Invitations,
    private readonly limiter: RateLimiter,
  ) {}

  @SignedIn()
  @Query(() => Space, {
    description: 'Where an invitation leads. What ended is told by the rule of the error.',
  })
  async getInvitedSpace(
    @Context() { client }: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('secret', SECRET) secret: string,
  ): Promise<Space> {
    await this.limiter.use('invitationTriesPerAddress', client);
    await this.limiter.use('invitationTries', viewer.studentId);
    const { spaceId } = await this.invitations.find(secret, viewer.studentId);
    return this.space(spaceId, viewer);
  }

  @SignedIn()
  @Limited('invitationTries')
  @Mutation(() => Space, {
    description: 'Joins the space that the invitation is for. One person is one use.',
  })
  async joinByInvitation(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('secret', SECRET) secret: string,
  ): Promise<Space> {
    const { studentId } = viewer;
    await this.limiter.use('invitationTriesPerAddress', request.client);
    const { id, spaceId, isNew } = await this.invitations.take(secret, studentId);
    const context = commandOf(request, 'joinByInvitation');
    try {
      const joined = await this.commands.execute(new JoinSpace(context, spaceId, false, id));
      // Somebody who opens it twice at once may have come in by the other call: that is the one use.
      if (isNew && joined.invitationId !== id) await this.invitations.giveBack(id, studentId);
    } catch (error) {
      // Whoever may not come in has used nothing. Cut off before this line, the use stays theirs.
      if (isNew && error instanceof DomainError) await this.invitations.giveBack(id, studentId);
      throw error;
    }
    return this.space(spaceId, viewer);
  }

  private async space(spaceId: string, viewer: Viewer): Promise<Space> {
    const space = await findSpaceById(this.pool, spaceId, viewer.studentId);
    if (!space) throw new DomainError('SPACE_NOT_FOUND');
    return space;
  }
}

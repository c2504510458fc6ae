import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { DomainError } from '@nimo/domain';
import { findAuthorsByIds } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { LeavesNoTrace } from '../../platform/traces/confidential.js';
import { FlagResult } from '../sessions/login-result.type.js';
import { MakeInvitation, RevokeInvitation } from './commands/make-invitation.js';
import { Invitation, NewInvitation } from './invitation.type.js';
import { Invitations } from './invitations.js';

/** Links, codes, lists and rules, by those who moderate the space and by maintainers. */
@Resolver(() => Invitation)
export class InvitationsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly invitations: Invitations,
  ) {}

  @HasRole('MODERATOR', 'MAINTAINER')
  @LeavesNoTrace('what staff made themselves, and how often it was used; never by whom')
  @Query(() => [Invitation], { description: 'Of a space, the latest first, with those that ended lately.' })
  async getInvitations(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<Invitation[]> {
    if (!hasRole(viewer, 'MODERATOR', spaceId) && !hasRole(viewer, 'MAINTAINER'))
      throw new DomainError('FORBIDDEN');
    const listed = await this.invitations.list(spaceId);
    const makers = await findAuthorsByIds(
      this.pool,
      listed.map(({ madeBy }) => madeBy ?? ''),
    );
    return listed.map(({ createdAt, expiresAt, ...invitation }, at) => ({
      ...invitation,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
      madeBy: makers[at] ?? null,
    }));
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => ID, { description: 'Of a space that is not open. Answers with its id.' })
  async createInvitation(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('details', { type: () => NewInvitation }) details: NewInvitation,
  ): Promise<string> {
    const { kind, uses, days, contacts, domain, provider, group } = details;
    return this.commands.execute(
      new MakeInvitation(commandOf(request, 'createInvitation'), spaceId, {
        kind,
        uses: uses ?? null,
        days: days ?? null,
        contacts: contacts ?? null,
        domain: domain ?? null,
        provider: provider ?? null,
        group: group ?? null,
      }),
    );
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => FlagResult, { description: 'Who came in by it stays.' })
  async revokeInvitation(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('id', { type: () => ID }, IdPipe) id: string,
  ): Promise<FlagResult> {
    await this.commands.execute(new RevokeInvitation(commandOf(request, 'revokeInvitation'), spaceId, id));
    return { flag: 1 };
  }
}

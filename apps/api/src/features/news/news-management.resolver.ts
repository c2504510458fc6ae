import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { MANAGED_PAGE_SIZE } from '@nimo/domain';
import { findNewspostById, pageOfManagedNews } from '@nimo/projections';
import { Pool } from 'pg';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import { ManagedNewspostPage, Newspost, newspostFor, RemovedNewspost } from './newsposts.resolver.js';
import { Untraced } from '../../platform/traces/traces.js';
import { type CommandContext, commandContext } from '../../platform/commands/command-context.js';
import { IdPipe, parseOptionalId } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { OwnStaffActions } from '../staff-actions/own-staff-actions.js';
import { ChangeNewspost, PublishNewspost, SetNewspostVisibility } from './commands/newsposts.js';

/** Lists the news of all spaces for maintainers. */
@Resolver()
export class NewsManagementResolver {
  constructor(private readonly pool: Pool) {}

  @HasRole('MAINTAINER')
  @Untraced('news written by staff')
  @Query(() => ManagedNewspostPage, {
    description: 'News of all spaces including removed items, newest first.',
  })
  async getManagedNews(
    @CurrentViewer() viewer: Viewer,
    @Args('isRemoved', { type: () => Boolean, nullable: true }) isRemoved?: boolean | null,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<ManagedNewspostPage> {
    const { page, limit } = parsePage(options ?? {}, MANAGED_PAGE_SIZE);
    const news = await pageOfManagedNews(this.pool, {
      viewerId: viewer.studentId,
      isRemoved: isRemoved ?? undefined,
      page,
      limit,
    });
    return {
      ...news,
      docs: news.docs.map((newspost) => newspostFor(viewer, newspost)),
    };
  }
}

const NULL_WHILE_STALE = 'Null while the projection lags (`extensions.stale`).';

/** Mutations for maintainers, and for moderators in their spaces, which the deciders check. */
@Resolver(() => Newspost)
export class NewsMutationsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly acts: OwnStaffActions,
  ) {}

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('posts')
  @Mutation(() => Newspost, { nullable: true, description: NULL_WHILE_STALE })
  async publishNewspost(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('title', { type: () => String }) title: string,
    @Args('body', { type: () => String }) body: string,
    @Args('space', { type: () => ID, nullable: true, description: 'Omit to publish in all spaces.' })
    space?: string | null,
  ): Promise<Newspost | null> {
    const spaceId = parseOptionalId('space', space) ?? null;
    const context = commandContext(request, 'publishNewspost');
    const id = await this.commands.execute(new PublishNewspost(context, { spaceId, title, body }));
    return this.newspost(id, viewer);
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('posts')
  @Mutation(() => Newspost, { nullable: true })
  async updateNewspost(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID }, IdPipe) id: string,
    @Args('title', { type: () => String }) title: string,
    @Args('body', { type: () => String }) body: string,
  ): Promise<Newspost | null> {
    const context = commandContext(request, 'updateNewspost');
    await this.commands.execute(new ChangeNewspost(context, id, { title, body }));
    return this.readChanged(context, id, viewer);
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => RemovedNewspost, { description: 'Hides the newspost. `restoreNewspost` reverses it.' })
  async removeNewspost(
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }, IdPipe) id: string,
  ): Promise<RemovedNewspost> {
    const context = commandContext(request, 'removeNewspost');
    await this.commands.execute(new SetNewspostVisibility(context, id, 'remove'));
    return { _id: id, act: await this.acts.positionOf(context) };
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => Newspost, { nullable: true, description: NULL_WHILE_STALE })
  async restoreNewspost(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID }, IdPipe) id: string,
  ): Promise<Newspost | null> {
    const context = commandContext(request, 'restoreNewspost');
    await this.commands.execute(new SetNewspostVisibility(context, id, 'restore'));
    return this.readChanged(context, id, viewer);
  }

  private async readChanged(context: CommandContext, id: string, viewer: Viewer): Promise<Newspost | null> {
    const newspost = await this.newspost(id, viewer);
    return newspost && { ...newspost, act: await this.acts.positionOf(context) };
  }

  private async newspost(id: string, viewer: Viewer) {
    const newspost = await findNewspostById(this.pool, id, viewer.studentId);
    return newspost && newspostFor(viewer, newspost);
  }
}

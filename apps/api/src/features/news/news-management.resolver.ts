import { Args, Query, Resolver } from '@nestjs/graphql';
import { MANAGED_PAGE_SIZE } from '@nimo/domain';
import { pageOfManagedNews } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { pageOf, PaginateOptions } from '../../platform/graphql/page.js';
import { newspostFor } from './news.resolver.js';
import { ManagedNewspostPage } from './newspost.type.js';
import { LeavesNoTrace } from '../../platform/traces/confidential.js';

/** The news of all spaces, for maintainers. They are written, changed, removed and restored as everywhere. */
@Resolver()
export class NewsManagementResolver {
  constructor(private readonly pool: Pool) {}

  @HasRole('MAINTAINER')
  @LeavesNoTrace('news that the office itself wrote')
  @Query(() => ManagedNewspostPage, { description: 'The newest first, with what was removed.' })
  async getManagedNews(
    @CurrentViewer() viewer: Viewer,
    @Args('isRemoved', { type: () => Boolean, nullable: true }) isRemoved?: boolean | null,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<ManagedNewspostPage> {
    const { page, limit } = pageOf(options ?? {}, MANAGED_PAGE_SIZE);
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

import { type ReportedPostType, REPORTS_PAGE_SIZE } from '@nimo/domain';
import {
  Args,
  Context,
  Field,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from '@nestjs/graphql';
import { CommandBus } from '@nestjs/cqrs';
import { pageOfOwnPostReports } from '@nimo/projections';
import { Pool } from 'pg';
import { assertActsAsSelf, CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { Confirmation } from '../questions/questions.resolver.js';
import { ReportPost } from './commands/report-post.js';

export const PostTypeEnum: { readonly [T in ReportedPostType]: T } = {
  QUESTION: 'QUESTION',
  ANSWER: 'ANSWER',
  COMMENT: 'COMMENT',
  QUESTION_COMMENT: 'QUESTION_COMMENT',
};
registerEnumType(PostTypeEnum, { name: 'PostType' });

@ObjectType()
class PostReport {
  @Field(() => ID) readonly _id!: string;
  @Field(() => ID) readonly student!: string;
  @Field(() => ID) readonly post!: string;
  @Field(() => PostTypeEnum) readonly postType!: ReportedPostType;
  @Field(() => String) readonly reason!: string;
}

@ObjectType()
class PostReportPage {
  @Field(() => [PostReport]) readonly docs!: readonly PostReport[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

@Resolver(() => PostReport)
export class ReportsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
  ) {}

  @SignedIn()
  @Query(() => PostReportPage, { description: "The caller's own reports, used to hide reported posts." })
  getPaginatedPostReports(
    @CurrentViewer() viewer: Viewer,
    @Args('postType', { type: () => PostTypeEnum }) postType: ReportedPostType,
    @Args('student', { type: () => ID, nullable: true }) student?: string | null,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<PostReportPage> {
    assertActsAsSelf(viewer, student);
    const { page, limit } = parsePage(options ?? {}, REPORTS_PAGE_SIZE);
    return pageOfOwnPostReports(this.pool, { studentId: viewer.studentId, postType, page, limit });
  }

  @SignedIn()
  @Limited('reports')
  @Mutation(() => Confirmation, {
    description: 'Reports a post, once per student and post. The reporter stays anonymous to other students.',
  })
  async reportPost(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('postId', { type: () => ID }, IdPipe) postId: string,
    @Args('postType', { type: () => PostTypeEnum }) postType: ReportedPostType,
    @Args('reason', { type: () => String }) reason: string,
    @Args('studentId', { type: () => ID, nullable: true }) studentId?: string | null,
  ): Promise<Confirmation> {
    assertActsAsSelf(viewer, studentId);
    await this.commands.execute(
      new ReportPost(commandContext(request, 'reportPost'), { postType, postId, reason }),
    );
    return { _id: postId };
  }
}

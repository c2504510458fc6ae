import { Args, Context, ID, Query, Resolver } from '@nestjs/graphql';
import { ACTIVITIES_PAGE_SIZE } from '@nimo/domain';
import { ACTIVITY_BODY_LENGTH, pageOfActivities, type ActivityView } from '@nimo/projections';
import { ProjectionWaiter } from '@nimo/projection-engine';
import { repairTruncatedHtml } from '@nimo/rich-text';
import { Pool } from 'pg';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { awaitVisible } from '../../platform/commands/freshness.js';
import { IdPipe, parseOptionalId } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext, Freshness } from '../../platform/auth/request-context.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import { StudentActivity, StudentActivityPage, type ActivityData } from './activity.type.js';

@Resolver(() => StudentActivity)
export class ActivitiesResolver {
  constructor(
    private readonly pool: Pool,
    private readonly access: SpaceAccess,
    private readonly waiter: ProjectionWaiter,
  ) {}

  @SignedIn()
  @Query(() => StudentActivityPage, {
    description:
      'Activity of a student in a space, newest first. Defaults to the caller. Votes are visible only to the voter.',
  })
  async getPaginatedStudentActivities(
    @Context() { freshness }: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('student', { type: () => ID, nullable: true }) student?: string | null,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<StudentActivityPage> {
    const { page, limit } = parsePage(options ?? {}, ACTIVITIES_PAGE_SIZE);
    const studentId = parseOptionalId('student', student) ?? viewer.studentId;
    await this.access.assertMayRead(viewer, spaceId);
    const withVotes = studentId === viewer.studentId;
    if (withVotes) await this.awaitPosts(freshness);
    const found = await pageOfActivities(this.pool, { studentId, spaceId, withVotes, page, limit });
    return { ...found, docs: found.docs.map((view) => ({ ...view, data: dataOf(view) })) };
  }

  /** Commands wait for `questions` but not for `activities`. Waits here so that every visible post is also listed. */
  private async awaitPosts(freshness: Freshness): Promise<void> {
    const posts = this.waiter.progressOf('questions');
    if (posts)
      await awaitVisible(this.waiter, { names: ['activities'], position: posts.position }, freshness);
  }
}

function dataOf(view: ActivityView): ActivityData {
  const { dataResolve, postId, questionId, answerId, title, body, mentions } = view;
  const post = { _id: postId, title };
  const question = { _id: questionId };
  const html = (): string => (body.length < ACTIVITY_BODY_LENGTH ? body : repairTruncatedHtml(body));
  switch (dataResolve) {
    case 'Question':
      return { kind: dataResolve, ...post, body: html() };
    case 'Answer':
      return { kind: dataResolve, ...post, body: html(), question };
    case 'QuestionComment':
      return { kind: dataResolve, ...post, body, mentions, question };
    case 'Comment':
      return {
        kind: dataResolve,
        ...post,
        body,
        mentions,
        answer: answerId === null ? null : { _id: answerId, question },
      };
  }
}

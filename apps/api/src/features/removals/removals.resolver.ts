import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { CASES_PAGE_SIZE, DomainError, type ReportedPostType, requireRemovalAuthority } from '@nimo/domain';
import {
  findPersonOfSpace,
  findRemovablePosts,
  findRemoval,
  listRemovedPosts,
  pageOfRemovals,
  type PostsRemovalView,
} from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import { hasRole, moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { Untraced } from '../../platform/traces/traces.js';
import { peopleById, spacesById } from '../patterns/vote-patterns.js';
import { Confirmation } from '../questions/questions.resolver.js';
import { fingerprintOf, RemovePosts, RestorePosts } from './commands/remove-posts.js';
import { PostsRemoval, PostsRemovalDetail, PostsRemovalPage, PostsRemovalPreview } from './removal.types.js';

/** Removal of all posts of an author in a space, by its moderators. */
@Resolver(() => PostsRemoval)
export class RemovalsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
  ) {}

  @HasRole('MODERATOR')
  @Untraced('counts of posts that members can see')
  @Query(() => PostsRemovalPreview, { description: 'Effect of removing all posts of an author now.' })
  async previewPostsRemoval(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('author', { type: () => ID }, IdPipe) authorId: string,
  ): Promise<PostsRemovalPreview> {
    if (!hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('FORBIDDEN');
    const person = await findPersonOfSpace(this.pool, { studentId: authorId, spaceId });
    if (!person) throw new DomainError('STUDENT_NOT_FOUND');
    const author = { studentId: authorId, roles: person.roles };
    requireRemovalAuthority({ actor: viewer, spaceId, author });
    const removable = await findRemovablePosts(this.pool, {
      ...{ spaceId, authorId, moderatorId: viewer.studentId },
    });
    const { posts, total, reportedByModerator, answersOfOthers } = removable;
    const count = (...types: ReportedPostType[]) =>
      posts.filter(({ postType }) => types.includes(postType)).length;
    return {
      fingerprint: fingerprintOf(removable),
      questions: count('QUESTION'),
      answers: count('ANSWER'),
      comments: count('COMMENT', 'QUESTION_COMMENT'),
      answersOfOthers,
      leftOut: reportedByModerator,
      remaining: total - posts.length,
    };
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => Confirmation, {
    description:
      'Removes all visible posts of an author in a space, at most the newest 1,000, and notifies the author of the reason. They disappear within seconds.',
  })
  async removePosts(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('author', { type: () => ID }, IdPipe) authorId: string,
    @Args('reason', { type: () => String }) reason: string,
    @Args('fingerprint', { type: () => String, description: 'Fingerprint from the preview.' })
    fingerprint: string,
  ): Promise<Confirmation> {
    const removal = { spaceId, authorId, reason, fingerprint };
    const _id = await this.commands.execute(new RemovePosts(commandContext(request, 'removePosts'), removal));
    return { _id };
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => Confirmation, {
    description:
      'Restores the posts of a removal and notifies the author of the reason. Posts that the caller reported, and posts restored or removed otherwise since then, stay as they are.',
  })
  async restorePosts(
    @Context() request: RequestContext,
    @Args('removalId', { type: () => ID }, IdPipe) removalId: string,
    @Args('reason', { type: () => String }) reason: string,
  ): Promise<Confirmation> {
    await this.commands.execute(new RestorePosts(commandContext(request, 'restorePosts'), removalId, reason));
    return { _id: removalId };
  }

  @HasRole('MODERATOR')
  @Untraced('names no reporters')
  @Query(() => PostsRemovalPage, {
    description:
      'Removals in the spaces the caller moderates, newest first, without those of the caller’s posts.',
  })
  async getPostsRemovals(
    @CurrentViewer() viewer: Viewer,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<PostsRemovalPage> {
    const page = parsePage(options ?? {}, CASES_PAGE_SIZE);
    const removals = await pageOfRemovals(this.pool, { ...scopeOf(viewer), ...page });
    return { ...removals, docs: await this.withNames(removals.docs) };
  }

  @HasRole('MODERATOR')
  @Untraced('names no reporters; opening the case of a post is logged')
  @Query(() => PostsRemovalDetail)
  async getPostsRemoval(
    @CurrentViewer() viewer: Viewer,
    @Args('removalId', { type: () => ID }, IdPipe) removalId: string,
  ): Promise<PostsRemovalDetail> {
    const view = await findRemoval(this.pool, removalId, scopeOf(viewer));
    const [removal] = await this.withNames(view ? [view] : []);
    if (!removal) throw new DomainError('REMOVAL_NOT_FOUND');
    return Object.assign(removal, { removedPosts: await listRemovedPosts(this.pool, removalId) });
  }

  private async withNames(views: readonly PostsRemovalView[]): Promise<PostsRemoval[]> {
    const [person, space] = await Promise.all([
      peopleById(
        this.pool,
        views.flatMap(({ authorId, moderatorId, restoredBy }) =>
          [authorId, moderatorId, restoredBy].filter((id) => id !== null),
        ),
      ),
      spacesById(
        this.pool,
        views.map(({ spaceId }) => spaceId),
      ),
    ]);
    return views.map(({ spaceId, authorId, moderatorId, restoredBy, ...rest }) => ({
      ...rest,
      space: space(spaceId),
      author: person(authorId),
      moderator: person(moderatorId),
      restoredBy: restoredBy === null ? null : person(restoredBy),
    }));
  }
}

const scopeOf = (viewer: Viewer) => ({ moderatorId: viewer.studentId, spaces: moderatedSpaces(viewer) });

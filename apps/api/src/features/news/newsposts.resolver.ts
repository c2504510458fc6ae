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
import { mayWriteNews, NEWS_PAGE_SIZE } from '@nimo/domain';
import { findNewspostById, listSpacesOf, type NewspostView, pageOfNews } from '@nimo/projections';
import { Pool } from 'pg';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Author } from '../students/student.types.js';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { IdPipe, parseOptionalId } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import { type NewsReaction, ReactToNewspost } from './commands/react-to-newspost.js';

const AUDIT_POSITION =
  'Position of this mutation in the audit. Null outside mutations, if nothing changed, and while the audit lags.';

@ObjectType()
class NewspostSpace {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
}

@ObjectType()
export class Newspost {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly title!: string;
  @Field(() => String, { description: 'Sanitised HTML.' }) readonly body!: string;
  @Field(() => Boolean, { description: 'Whether the caller liked it.' }) readonly liked!: boolean;
  @Field(() => Boolean, { description: 'Whether the caller saved it.' }) readonly saved!: boolean;
  @Field(() => Int) readonly likeCount!: number;
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => DateTimeScalar, { nullable: true }) readonly editedAt!: string | null;
  @Field(() => Author) readonly author!: Author;
  @Field(() => NewspostSpace, { nullable: true, description: 'Null if published in all spaces.' })
  readonly space!: NewspostSpace | null;
  @Field(() => Boolean, { description: 'Whether the caller can edit and remove it.' })
  readonly isEditable!: boolean;
  @Field(() => Int, { nullable: true, description: AUDIT_POSITION }) readonly act?: number | null;
}

@ObjectType()
export class RemovedNewspost {
  @Field(() => ID) readonly _id!: string;
  @Field(() => Int, { nullable: true, description: AUDIT_POSITION }) readonly act!: number | null;
}

@ObjectType()
class NewspostPage {
  @Field(() => [Newspost]) readonly docs!: readonly Newspost[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

@ObjectType()
class ManagedNewspost extends Newspost {
  @Field(() => Boolean) readonly isRemoved!: boolean;
}

@ObjectType()
export class ManagedNewspostPage {
  @Field(() => [ManagedNewspost]) readonly docs!: readonly ManagedNewspost[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Boolean) readonly hasNext!: boolean;
}

const NewsActionEnum: { readonly [R in NewsReaction]: R } = { LIKE: 'LIKE', SAVE: 'SAVE' };
registerEnumType(NewsActionEnum, { name: 'NewsAction' });

export const newspostFor = <View extends NewspostView>(
  viewer: Viewer,
  newspost: View,
): View & Pick<Newspost, 'isEditable'> => ({
  ...newspost,
  isEditable: mayWriteNews(viewer, newspost.space?._id ?? null),
});

@Resolver(() => Newspost)
export class NewsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly access: SpaceAccess,
  ) {}

  @SignedIn()
  @Query(() => NewspostPage, {
    description:
      'News of the space (by default, of all spaces the caller has joined) and of all spaces, newest first.',
  })
  async getPaginatedNewsposts(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID, nullable: true }) space?: string | null,
    @Args('saved', { type: () => Boolean, nullable: true, description: 'Only news saved by the caller.' })
    saved?: boolean | null,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<NewspostPage> {
    const { page, limit } = parsePage(options ?? {}, NEWS_PAGE_SIZE);
    const spaceIds = await this.spacesToRead(viewer, parseOptionalId('space', space));
    const { studentId: viewerId } = viewer;
    const news = await pageOfNews(this.pool, { viewerId, spaceIds, isSaved: saved ?? false, page, limit });
    return { ...news, docs: news.docs.map((newspost) => newspostFor(viewer, newspost)) };
  }

  @SignedIn()
  @Limited('votes', { andOn: ['togglesOfOne', 'newspostId'] })
  @Mutation(() => Newspost, { nullable: true, description: 'Toggles.' })
  likeNewspost(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('newspostId', { type: () => ID }, IdPipe) newspostId: string,
    @Args('actionType', { type: () => NewsActionEnum, nullable: true }) actionType?: NewsReaction | null,
  ): Promise<Newspost | null> {
    return this.react(request, viewer, newspostId, { reaction: 'LIKE', actionType });
  }

  @SignedIn()
  @Limited('votes', { andOn: ['togglesOfOne', 'newspostId'] })
  @Mutation(() => Newspost, { nullable: true, description: 'Toggles.' })
  saveNewspost(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('newspostId', { type: () => ID }, IdPipe) newspostId: string,
    @Args('actionType', { type: () => NewsActionEnum, nullable: true }) actionType?: NewsReaction | null,
  ): Promise<Newspost | null> {
    return this.react(request, viewer, newspostId, { reaction: 'SAVE', actionType });
  }

  private async spacesToRead(viewer: Viewer, space: string | undefined): Promise<readonly string[]> {
    if (space === undefined) return (await listSpacesOf(this.pool, viewer.studentId)).map(({ _id }) => _id);
    await this.access.assertMayRead(viewer, space);
    return [space];
  }

  private async react(
    request: RequestContext,
    viewer: Viewer,
    newspostId: string,
    { reaction, actionType }: { reaction: NewsReaction; actionType: NewsReaction | null | undefined },
  ): Promise<Newspost | null> {
    if (actionType && actionType !== reaction) {
      throw new ApiError('VALIDATION_FAILED', `actionType must be ${reaction} here.`, {
        field: 'actionType',
        rule: 'ACTION_TYPE_MISMATCH',
      });
    }
    const context = commandContext(request, `reactToNewspost:${reaction}`);
    await this.commands.execute(new ReactToNewspost(context, newspostId, reaction));
    const newspost = await findNewspostById(this.pool, newspostId, viewer.studentId);
    return newspost && newspostFor(viewer, newspost);
  }
}

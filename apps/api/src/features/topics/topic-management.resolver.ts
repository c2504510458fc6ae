import { DomainError, MANAGED_PAGE_SIZE, type TopicType } from '@nimo/domain';
import {
  Args,
  Context,
  Field,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from '@nestjs/graphql';
import { CommandBus } from '@nestjs/cqrs';
import { findManagedTopic, findSubjectById, pageOfTopics } from '@nimo/projections';
import { Pool } from 'pg';
import { Topic, TopicTypeEnum } from '../questions/topic.type.js';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { type CommandContext, commandOf } from '../../platform/commands/command-context.js';
import { given, IdPipe } from '../../platform/graphql/arguments.js';
import { pageOf, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { ActResult, OwnActs } from '../acts/own-acts.js';
import { OwnUploads } from '../uploads/own-uploads.js';
import { AddTopic, ChangeTopic } from './commands/topics.js';
import { LeavesNoTrace } from '../../platform/traces/traces.js';

@ObjectType({ description: 'A topic as maintainers see it.' })
class ManagedTopic extends Topic {
  @Field(() => Int, { description: 'Questions that are not removed.' }) readonly questionCount!: number;
}

@ObjectType()
class ManagedTopicPage {
  @Field(() => [ManagedTopic]) readonly docs!: readonly ManagedTopic[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Boolean) readonly hasNext!: boolean;
}

@ObjectType()
class SavedTopicResult extends ActResult {
  @Field(() => ManagedTopic) readonly topic!: ManagedTopic;
}

@InputType({ description: 'What is left out stays; a picture that is null is taken off.' })
class TopicChange {
  @Field(() => String, { nullable: true }) readonly topicName?: string | null;
  @Field(() => TopicTypeEnum, { nullable: true }) readonly topicType?: TopicType | null;
  @Field(() => String, { nullable: true }) readonly imageS3Url?: string | null;
}

/** Topics as maintainers make and change them; students make SECONDARY ones by `createTopic`. */
@Resolver(() => ManagedTopic)
export class TopicManagementResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly uploads: OwnUploads,
    private readonly acts: OwnActs,
  ) {}

  @HasRole('MAINTAINER')
  @LeavesNoTrace('what is asked about, nobody’s data')
  @Query(() => ManagedTopicPage, { description: 'PRIMARY ones first; `search` is any part of the name.' })
  getManagedTopics(
    @Args('subject', { type: () => ID }, IdPipe) subjectId: string,
    @Args('search', { type: () => String, nullable: true }) search?: string | null,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<ManagedTopicPage> {
    const { page, limit } = pageOf(options ?? {}, MANAGED_PAGE_SIZE);
    return pageOfTopics(this.pool, { subjectId, search: search ?? undefined, page, limit });
  }

  @HasRole('MAINTAINER')
  @Limited('posts')
  @Mutation(() => SavedTopicResult, { description: 'A PRIMARY one, under a name that is free.' })
  async addTopic(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('subject', { type: () => ID }, IdPipe) subjectId: string,
    @Args('topicName', { type: () => String }) topicName: string,
    @Args('imageS3Url', { type: () => String, nullable: true, description: 'An upload of the caller.' })
    imageS3Url?: string | null,
  ): Promise<SavedTopicResult> {
    const context = commandOf(request, 'addTopic');
    const subject = await findSubjectById(this.pool, subjectId);
    if (!subject) throw new DomainError('SUBJECT_NOT_FOUND');
    await this.uploads.assertOwnPicture(imageS3Url, viewer, { field: 'imageS3Url' });
    const { spaceId } = subject;
    const id = await this.commands.execute(
      new AddTopic(context, { spaceId, subjectId, topicName, imageS3Url: imageS3Url ?? null }),
    );
    return this.saved(context, id);
  }

  @HasRole('MAINTAINER')
  @Limited('posts')
  @Mutation(() => SavedTopicResult, {
    description:
      'Refused where what `seen` says is not so any more. The former name goes on finding the topic.',
  })
  async changeTopic(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID }, IdPipe) topicId: string,
    @Args('change', { type: () => TopicChange }) change: TopicChange,
    @Args('seen', { type: () => TopicChange, nullable: true }) seen?: TopicChange | null,
  ): Promise<SavedTopicResult> {
    const context = commandOf(request, 'changeTopic');
    const topic = await findManagedTopic(this.pool, topicId);
    if (!topic) throw new DomainError('TOPIC_NOT_FOUND');
    const picture = { field: 'imageS3Url', shown: topic.imageS3Url };
    await this.uploads.assertOwnPicture(change.imageS3Url, viewer, picture);
    const key = { subjectId: topic.subject._id, slug: topic.slug };
    await this.commands.execute(
      new ChangeTopic(context, key, { change: partOf(change), seen: partOf(seen ?? {}) }),
    );
    return this.saved(context, topicId);
  }

  private async saved(context: CommandContext, topicId: string): Promise<SavedTopicResult> {
    const topic = await findManagedTopic(this.pool, topicId);
    if (!topic) throw new DomainError('TOPIC_NOT_FOUND');
    return { topic, act: await this.acts.ordinalOf(context) };
  }
}

const partOf = ({ imageS3Url, ...others }: TopicChange) => ({
  ...given(others),
  ...(imageS3Url !== undefined && { imageS3Url }),
});

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
import { type CommandContext, commandContext } from '../../platform/commands/command-context.js';
import { omitNullish, IdPipe } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { StaffActionResult, OwnStaffActions } from '../staff-actions/own-staff-actions.js';
import { OwnUploads } from '../uploads/own-uploads.js';
import { AddTopic, ChangeTopic } from './commands/topics.js';
import { Untraced } from '../../platform/traces/traces.js';

@ObjectType({ description: 'A topic as maintainers see it.' })
class ManagedTopic extends Topic {
  @Field(() => Int, { description: 'Excludes removed questions.' }) readonly questionCount!: number;
}

@ObjectType()
class ManagedTopicPage {
  @Field(() => [ManagedTopic]) readonly docs!: readonly ManagedTopic[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Boolean) readonly hasNext!: boolean;
}

@ObjectType()
class SavedTopicResult extends StaffActionResult {
  @Field(() => ManagedTopic) readonly topic!: ManagedTopic;
}

@InputType({ description: 'Omitted fields stay unchanged; a null picture is removed.' })
class TopicChange {
  @Field(() => String, { nullable: true }) readonly topicName?: string | null;
  @Field(() => TopicTypeEnum, { nullable: true }) readonly topicType?: TopicType | null;
  @Field(() => String, { nullable: true }) readonly imageS3Url?: string | null;
}

/** Lets maintainers create and change topics. Students create SECONDARY ones with `createTopic`. */
@Resolver(() => ManagedTopic)
export class TopicManagementResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly uploads: OwnUploads,
    private readonly acts: OwnStaffActions,
  ) {}

  @HasRole('MAINTAINER')
  @Untraced('topics contain no personal data')
  @Query(() => ManagedTopicPage, {
    description: 'PRIMARY topics first. `search` matches any part of the name.',
  })
  getManagedTopics(
    @Args('subject', { type: () => ID }, IdPipe) subjectId: string,
    @Args('search', { type: () => String, nullable: true }) search?: string | null,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<ManagedTopicPage> {
    const { page, limit } = parsePage(options ?? {}, MANAGED_PAGE_SIZE);
    return pageOfTopics(this.pool, { subjectId, search: search ?? undefined, page, limit });
  }

  @HasRole('MAINTAINER')
  @Limited('posts')
  @Mutation(() => SavedTopicResult, { description: 'Creates a PRIMARY topic. The name must be free.' })
  async addTopic(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('subject', { type: () => ID }, IdPipe) subjectId: string,
    @Args('topicName', { type: () => String }) topicName: string,
    @Args('imageS3Url', { type: () => String, nullable: true, description: "One of the caller's uploads." })
    imageS3Url?: string | null,
  ): Promise<SavedTopicResult> {
    const context = commandContext(request, 'addTopic');
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
    description: 'Rejected if the values in `seen` are outdated. The old name still finds the topic.',
  })
  async changeTopic(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID }, IdPipe) topicId: string,
    @Args('change', { type: () => TopicChange }) change: TopicChange,
    @Args('seen', { type: () => TopicChange, nullable: true }) seen?: TopicChange | null,
  ): Promise<SavedTopicResult> {
    const context = commandContext(request, 'changeTopic');
    const topic = await findManagedTopic(this.pool, topicId);
    if (!topic) throw new DomainError('TOPIC_NOT_FOUND');
    const picture = { field: 'imageS3Url', shown: topic.imageS3Url };
    await this.uploads.assertOwnPicture(change.imageS3Url, viewer, picture);
    const key = { subjectId: topic.subject._id, slug: topic.slug };
    await this.commands.execute(
      new ChangeTopic(context, key, { change: patchOf(change), seen: patchOf(seen ?? {}) }),
    );
    return this.saved(context, topicId);
  }

  private async saved(context: CommandContext, topicId: string): Promise<SavedTopicResult> {
    const topic = await findManagedTopic(this.pool, topicId);
    if (!topic) throw new DomainError('TOPIC_NOT_FOUND');
    return { topic, act: await this.acts.positionOf(context) };
  }
}

const patchOf = ({ imageS3Url, ...others }: TopicChange) => ({
  ...omitNullish(others),
  ...(imageS3Url !== undefined && { imageS3Url }),
});

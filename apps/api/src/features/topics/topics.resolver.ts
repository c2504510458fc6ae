import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { DomainError, TOPIC_SEARCH_PAGE_SIZE, type TopicType } from '@nimo/domain';
import {
  findSpaceIdsOfSubjects,
  findSubjectById,
  findTopicsByIds,
  listPopularTopics,
  listSubjects,
  listTopicsOfSubjects,
} from '@nimo/projections';
import { sortedTopics } from '@nimo/search';
import { Pool } from 'pg';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe, parseId, parseIds, parseOptionalId } from '../../platform/graphql/arguments.js';
import { parseSlice } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { searchSortOf } from '../search/search.types.js';
import { Search } from '../search/search.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import { CreateTopic } from './commands/topics.js';
import { Topic, TopicHits, TopicTypeEnum } from '../questions/topic.type.js';
import { Subject } from '../spaces/space.types.js';

@Resolver(() => Topic)
export class TopicsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly access: SpaceAccess,
    private readonly search: Search,
  ) {}

  @SignedIn()
  @Query(() => [Subject])
  async getSubjectsForSpace(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<Subject[]> {
    await this.access.assertMayRead(viewer, spaceId);
    return listSubjects(this.pool, spaceId);
  }

  @SignedIn()
  @Query(() => [Topic], { description: 'PRIMARY topics first; `search` filters by name.' })
  async getSubjectTopics(
    @CurrentViewer() viewer: Viewer,
    @Args('subjects', { type: () => [ID] }) subjects: string[],
    @Args('search', { type: () => String, nullable: true }) search?: string | null,
  ): Promise<Topic[]> {
    const subjectIds = parseIds('subjects', subjects);
    const spaceIds = await findSpaceIdsOfSubjects(this.pool, subjectIds);
    await Promise.all(spaceIds.map((spaceId) => this.access.assertMayRead(viewer, spaceId)));
    return listTopicsOfSubjects(this.pool, { subjectIds, search: search ?? undefined });
  }

  @SignedIn()
  @Query(() => [Topic], { description: 'Most questions first.' })
  async getPopularTopics(
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Args('topicType', { type: () => TopicTypeEnum, nullable: true }) topicType?: TopicType | null,
    @Args('subjectIds', { type: () => [ID], nullable: true }) subjectIds?: string[] | null,
  ): Promise<Topic[]> {
    await this.access.assertMayRead(viewer, spaceId);
    return listPopularTopics(this.pool, {
      spaceId,
      topicType: topicType ?? undefined,
      subjectIds: parseIds('subjectIds', subjectIds ?? []),
    });
  }

  @SignedIn()
  @Query(() => TopicHits)
  async searchTopics(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('search', { type: () => String }) search: string,
    @Args('subject', { type: () => ID, nullable: true }) subject?: string | null,
    @Args('skip', { type: () => Int, nullable: true, defaultValue: 0 }) skip?: number | null,
    @Args('limit', { type: () => Int, nullable: true, defaultValue: TOPIC_SEARCH_PAGE_SIZE })
    limit?: number | null,
    @Args('sort', {
      type: () => Int,
      nullable: true,
      description:
        'Best match first by default; 1 by newest question, 2 by number of questions. Sorts only the best 1,000 matches.',
    })
    sort?: number | null,
  ): Promise<TopicHits> {
    await this.access.assertMayRead(viewer, spaceId);
    const subjectId = parseOptionalId('subject', subject);
    const slice = parseSlice({ skip, limit }, TOPIC_SEARCH_PAGE_SIZE);
    const query = { spaceId, ...slice, sort: searchSortOf(sort) };
    const ids = await sortedTopics(this.pool, query, async (window) => {
      const { hits } = await this.search.findTopics({ text: search, spaceId, subjectId, ...window });
      return hits;
    });
    return { hits: await findTopicsByIds(this.pool, ids) };
  }

  @SignedIn()
  @Limited('posts')
  @Mutation(() => Topic, {
    description: 'Returns the existing topic if the subject already has one of that name.',
  })
  async createTopic(
    @Context() request: RequestContext,
    @Args('topicName', { type: () => String }) topicName: string,
    @Args('subject', { type: () => ID }) subject: string,
    @Args('topicType', { type: () => TopicTypeEnum, nullable: true }) topicType?: TopicType | null,
  ): Promise<Topic> {
    if (subject === '') throw new DomainError('SUBJECT_REQUIRED');
    const found = await findSubjectById(this.pool, parseId('subject', subject));
    if (!found) throw new DomainError('SUBJECT_NOT_FOUND');
    const { spaceId, ...ofSubject } = found;
    const topic = await this.commands.execute(
      new CreateTopic(commandContext(request, 'createTopic'), {
        spaceId,
        subjectId: found._id,
        topicName,
        topicType: topicType ?? 'SECONDARY',
      }),
    );
    const { topicId, imageS3Url } = topic;
    return {
      _id: topicId,
      topicName: topic.topicName,
      topicType: topic.topicType,
      imageS3Url,
      subject: ofSubject,
    };
  }
}

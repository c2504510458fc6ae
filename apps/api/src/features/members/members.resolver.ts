import { Args, Field, ID, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { findAuthorsByIds, searchMembers } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { IdPipe } from '../../platform/graphql/id.pipe.js';
import { sliceOf } from '../../platform/graphql/page.js';
import { Search } from '../search/search.js';
import { SpaceAccess } from '../spaces/space-access.js';
import { Author } from '../students/author.type.js';

const HITS = 10;
const MOST_HITS = 1000;

@ObjectType()
class UserHits {
  @Field(() => [Author]) readonly hits!: Author[];
}

@Resolver()
export class MembersResolver {
  constructor(
    private readonly pool: Pool,
    private readonly access: SpaceAccess,
    private readonly search: Search,
  ) {}

  @SignedIn()
  @Query(() => UserHits, {
    description:
      'Members of the space whose names hold the query, also with a typing mistake; all members for an empty one.',
  })
  async searchUsers(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('search', { type: () => String }) search: string,
    @Args('skip', { type: () => Int, nullable: true, defaultValue: 0 }) skip?: number | null,
    @Args('limit', { type: () => Int, nullable: true, defaultValue: HITS }) limit?: number | null,
  ): Promise<UserHits> {
    await this.access.assertMayRead(viewer, spaceId);
    const slice = sliceOf({ skip, limit }, HITS, MOST_HITS);
    if (search.trim() === '') return { hits: await searchMembers(this.pool, { spaceId, search, ...slice }) };
    const { hits } = await this.search.findPeople({ text: search, spaceId, ...slice });
    const people = await findAuthorsByIds(this.pool, hits);
    return { hits: people.filter((person) => person !== null) };
  }
}

import { Args, Field, ID, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { MAX_USER_SEARCH } from '@nimo/domain';
import { findAuthorsByIds, searchMembers, type MemberSearch } from '@nimo/projections';
import { sortedPeople } from '@nimo/search';
import { Pool } from 'pg';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { parseSlice } from '../../platform/graphql/page.js';
import { searchSortOf } from '../search/search.types.js';
import { Search } from '../search/search.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import { Author } from '../students/student.types.js';

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
      'Members of the space whose names match the query, typos allowed. An empty query matches all members.',
  })
  async searchUsers(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('search', { type: () => String }) search: string,
    @Args('skip', { type: () => Int, nullable: true, defaultValue: 0 }) skip?: number | null,
    @Args('limit', { type: () => Int, nullable: true, defaultValue: MAX_USER_SEARCH })
    limit?: number | null,
    @Args('sort', {
      type: () => Int,
      nullable: true,
      description:
        'Best match first by default; 1 latest to join first, 2 most answers first. Sorts the best 1,000 matches.',
    })
    sort?: number | null,
  ): Promise<UserHits> {
    await this.access.assertMayRead(viewer, spaceId);
    const slice = parseSlice({ skip, limit }, MAX_USER_SEARCH, MAX_USER_SEARCH);
    const options = { spaceId, ...slice, sort: searchSortOf(sort) };
    if (search.trim() === '' && options.sort === 'BEST')
      return { hits: await searchMembers(this.pool, { ...options, search }) };
    const ids = await sortedPeople(this.pool, options, (window) =>
      this.found({ spaceId, search, ...window }),
    );
    const people = await findAuthorsByIds(this.pool, ids);
    return { hits: people.filter((person) => person !== null) };
  }

  private async found({ spaceId, search, ...window }: MemberSearch): Promise<readonly string[]> {
    if (search.trim() === '') {
      const members = await searchMembers(this.pool, { spaceId, search, ...window });
      return members.map(({ _id }) => _id);
    }
    return (await this.search.findPeople({ text: search, spaceId, ...window })).hits;
  }
}

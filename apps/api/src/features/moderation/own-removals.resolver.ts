import { Inject } from '@nestjs/common';
import { Args, Field, ID, ObjectType, Query, Resolver } from '@nestjs/graphql';
import type { ReportedPostType } from '@nimo/domain';
import { listOwnRemovals } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { PostTypeEnum } from '../reports/reports.resolver.js';
import { readerOf } from '../spaces/spaces.resolver.js';

@ObjectType({ description: 'A post of the caller that moderators removed.' })
class OwnRemoval {
  @Field(() => ID) readonly postId!: string;
  @Field(() => PostTypeEnum) readonly postType!: ReportedPostType;
  @Field(() => String, { description: "The question's." }) readonly title!: string;
  @Field(() => String, { description: 'HTML; plain text for a comment.' }) readonly body!: string;
  @Field(() => String, { description: 'Explanation by the moderator.' }) readonly reason!: string;
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field(() => String, {
    nullable: true,
    description:
      'Where to object: an email address, a web address or a name. Null if the installation names nobody.',
  })
  readonly objectTo!: string | null;
}

@Resolver()
export class OwnRemovalsResolver {
  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'objectionContact'>,
  ) {}

  @SignedIn()
  @Query(() => [OwnRemoval], {
    description: "The caller's posts under a question that moderators removed.",
  })
  async getOwnRemovals(
    @CurrentViewer() viewer: Viewer,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
  ): Promise<OwnRemoval[]> {
    const { moderated } = readerOf(viewer);
    const removals = await listOwnRemovals(this.pool, { questionId, authorId: viewer.studentId, moderated });
    const objectTo = this.settings.objectionContact ?? null;
    return removals.map((removal) => ({ ...removal, objectTo }));
  }
}

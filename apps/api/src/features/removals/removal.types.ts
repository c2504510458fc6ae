import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { ReportedPostType } from '@nimo/domain';
import type { RemovedPostState } from '@nimo/projections';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { CaseSpace } from '../patterns/vote-pattern.types.js';
import { PostTypeEnum } from '../reports/reports.resolver.js';
import { Author } from '../students/student.types.js';

const RemovedPostStateEnum: { readonly [S in RemovedPostState]: S } = {
  PENDING: 'PENDING',
  REMOVED: 'REMOVED',
  RESTORED: 'RESTORED',
  DELETED: 'DELETED',
};
registerEnumType(RemovedPostStateEnum, { name: 'RemovedPostState' });

@ObjectType({ description: 'Effect of removing all posts of an author in a space now.' })
export class PostsRemovalPreview {
  @Field(() => String, { description: 'Pass to `removePosts`.' }) readonly fingerprint!: string;
  @Field(() => Int, { description: 'Number of questions to remove.' }) readonly questions!: number;
  @Field(() => Int, { description: 'Number of answers to remove.' }) readonly answers!: number;
  @Field(() => Int, { description: 'Number of comments to remove.' }) readonly comments!: number;
  @Field(() => Int, { description: 'Answers of others, hidden together with the questions.' })
  readonly answersOfOthers!: number;
  @Field(() => Int, { description: 'Posts that the caller reported. Another moderator has to decide them.' })
  readonly leftOut!: number;
  @Field(() => Int, { description: 'Older posts that need another removal, since one takes at most 1,000.' })
  readonly remaining!: number;
}

@ObjectType({ description: 'A removal of all posts of an author in a space.' })
export class PostsRemoval {
  @Field(() => ID) readonly _id!: string;
  @Field(() => CaseSpace, { description: 'The space of the posts.' }) readonly space!: CaseSpace;
  @Field(() => Author, { description: 'Wrote the posts.' }) readonly author!: Author;
  @Field(() => Int, { description: 'Number of posts removed.' }) readonly posts!: number;
  @Field(() => Author, { description: 'Removed the posts.' }) readonly moderator!: Author;
  @Field(() => String, { description: 'Shown to the author. Empty once they are erased.' })
  readonly reason!: string;
  @Field(() => DateTimeScalar, { description: 'When the posts were removed.' }) readonly removedAt!: string;
  @Field(() => Author, { nullable: true, description: 'Restored the posts; null unless restored.' })
  readonly restoredBy!: Author | null;
  @Field(() => String, { nullable: true, description: 'Shown to the author; null unless restored.' })
  readonly restoreReason!: string | null;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Null unless the posts were restored.' })
  readonly restoredAt!: string | null;
}

@ObjectType()
export class RemovedPost {
  @Field(() => ID) readonly postId!: string;
  @Field(() => PostTypeEnum) readonly postType!: ReportedPostType;
  @Field(() => ID) readonly questionId!: string;
  @Field(() => String, { description: "The question's." }) readonly title!: string;
  @Field(() => String, { description: 'Plain text cut from the post.' }) readonly excerpt!: string;
  @Field(() => RemovedPostStateEnum, { description: 'Its state now.' }) readonly state!: RemovedPostState;
}

@ObjectType()
export class PostsRemovalDetail extends PostsRemoval {
  @Field(() => [RemovedPost], { description: 'Newest first.' })
  readonly removedPosts!: readonly RemovedPost[];
}

@ObjectType()
export class PostsRemovalPage {
  @Field(() => [PostsRemoval]) readonly docs!: readonly PostsRemoval[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

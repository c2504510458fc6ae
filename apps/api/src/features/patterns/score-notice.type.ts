import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { InvalidationCategory, PostType } from '@nimo/domain';
import { PostTypeEnum } from '../reports/post-report.type.js';
import { InvalidationCategoryEnum } from './invalidation-case.type.js';
import { JudgedQuestion } from './vote-pattern.type.js';

const ScoreNoticeKindEnum = { INVALIDATED: 'INVALIDATED', VALID_AGAIN: 'VALID_AGAIN' } as const;
registerEnumType(ScoreNoticeKindEnum, { name: 'ScoreNoticeKind' });
const VoteSideEnum = { GIVEN: 'GIVEN', RECEIVED: 'RECEIVED' } as const;
registerEnumType(VoteSideEnum, { name: 'VoteSide' });

@ObjectType()
export class NoticedPost {
  @Field(() => ID) readonly _id!: string;
  @Field(() => PostTypeEnum) readonly postType!: PostType;
  @Field(() => JudgedQuestion, { nullable: true, description: 'Null where the question is removed.' })
  readonly question!: JudgedQuestion | null;
}

@ObjectType({ description: 'That votes were declared invalid, or are valid again. Who voted is not told.' })
export class ScoreNotice {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'YYYY-MM-DD in UTC.' }) readonly day!: string;
  @Field(() => ScoreNoticeKindEnum) readonly kind!: keyof typeof ScoreNoticeKindEnum;
  @Field(() => VoteSideEnum, { description: 'Votes that the student gave, or that the post received.' })
  readonly side!: keyof typeof VoteSideEnum;
  @Field(() => InvalidationCategoryEnum) readonly category!: InvalidationCategory;
  @Field(() => Int) readonly count!: number;
  @Field(() => NoticedPost) readonly post!: NoticedPost;
}

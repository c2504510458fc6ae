import type { ReportedPostType } from '@nimo/domain';
import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';

export const PostTypeEnum: { readonly [T in ReportedPostType]: T } = {
  QUESTION: 'QUESTION',
  ANSWER: 'ANSWER',
  COMMENT: 'COMMENT',
  QUESTION_COMMENT: 'QUESTION_COMMENT',
};
registerEnumType(PostTypeEnum, { name: 'PostType' });

@ObjectType()
export class PostReport {
  @Field(() => ID) readonly _id!: string;
  @Field(() => ID) readonly student!: string;
  @Field(() => ID) readonly post!: string;
  @Field(() => PostTypeEnum) readonly postType!: ReportedPostType;
  @Field(() => String) readonly reason!: string;
}

@ObjectType()
export class PostReportPage {
  @Field(() => [PostReport]) readonly docs!: readonly PostReport[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

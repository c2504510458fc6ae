import type { PostType } from '@nimo/domain';
import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Reference } from '../questions/questions.resolver.js';
import { AccountStatusEnum } from '../students/student.types.js';

const BlockScopeEnum = { ACCOUNT: 'ACCOUNT', SPACE: 'SPACE' } as const;
registerEnumType(BlockScopeEnum, {
  name: 'BlockScope',
  description: 'The account everywhere, or taking part in one space.',
});

@ObjectType({ description: 'A person of a space as its members see them.' })
export class StudentDetail {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly userName!: string;
  @Field(() => String) readonly firstName!: string;
  @Field(() => String) readonly lastName!: string;
  @Field(() => String, { nullable: true }) readonly realProfilePicUrl!: string | null;
  @Field(() => String) readonly profileDesc!: string;
  @Field(() => DateTimeScalar) readonly joinedAt!: string;
  @Field(() => Boolean, { description: 'False for somebody who left.' }) readonly isMember!: boolean;
  @Field(() => Int, { description: 'Merit.' }) readonly reputations!: number;
  @Field(() => Int, { description: 'Impact.' }) readonly commitments!: number;
  @Field(() => Int) readonly score!: number;
  @Field(() => Int, { nullable: true, description: 'Null before the first post, vote or comment.' })
  readonly rank!: number | null;
  @Field(() => Int) readonly questionsAsked!: number;
  @Field(() => Int) readonly questionsAnswered!: number;
  @Field(() => Int) readonly answersAccepted!: number;
  @Field(() => AccountStatusEnum, {
    nullable: true,
    description: 'For moderators of the space and maintainers. BLOCKED also where it is in this space alone.',
  })
  readonly accountStatus!: 'ACTIVE' | 'BLOCKED' | null;
  @Field(() => BlockScopeEnum, {
    nullable: true,
    description: 'What is blocked; where nothing is, what the caller would block.',
  })
  readonly blockScope!: 'ACCOUNT' | 'SPACE' | null;
  @Field(() => Boolean, { description: 'The caller may block the student, or unblock.' })
  readonly isBlockable!: boolean;
  @Field(() => String, { nullable: true, description: 'The rule by which the caller may not.' })
  readonly blockRefusal!: string | null;
}

@ObjectType()
export class StudentPost {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'QUESTION or ANSWER.' }) readonly postType!: PostType;
  @Field(() => String, { description: "The question's." }) readonly title!: string;
  @Field(() => String, { description: 'Plain text cut from the body.' }) readonly excerpt!: string;
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => Int) readonly upvoteCount!: number;
  @Field(() => Boolean, { description: 'A question that is solved, an answer that is accepted.' })
  readonly isAccepted!: boolean;
  @Field(() => Reference) readonly question!: Reference;
}

@ObjectType()
export class StudentPostPage {
  @Field(() => [StudentPost]) readonly docs!: readonly StudentPost[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

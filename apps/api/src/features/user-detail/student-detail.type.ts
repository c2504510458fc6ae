import type { PostType } from '@nimo/domain';
import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Reference } from '../questions/questions.resolver.js';
import { AccountStatusEnum } from '../students/student.types.js';

export const BlockScopeEnum = { ACCOUNT: 'ACCOUNT', SPACE: 'SPACE' } as const;
registerEnumType(BlockScopeEnum, {
  name: 'BlockScope',
  description: 'Whether a block covers the whole account or participation in one space.',
});

@ObjectType({ description: 'A person in a space as its members see them.' })
export class StudentDetail {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly userName!: string;
  @Field(() => String) readonly firstName!: string;
  @Field(() => String) readonly lastName!: string;
  @Field(() => String, { nullable: true }) readonly realProfilePicUrl!: string | null;
  @Field(() => String) readonly profileDesc!: string;
  @Field(() => DateTimeScalar) readonly joinedAt!: string;
  @Field(() => Boolean, { description: 'False if the student has left.' }) readonly isMember!: boolean;
  @Field(() => Boolean, {
    description:
      'Whether the account belongs to a program, such as that of an imported site. It has no score, and counts and scores are 0.',
  })
  readonly isRobot!: boolean;
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
    description:
      'For moderators of the space and maintainers. BLOCKED also for a suspension in this space only.',
  })
  readonly accountStatus!: 'ACTIVE' | 'BLOCKED' | null;
  @Field(() => BlockScopeEnum, {
    nullable: true,
    description: 'Scope of the current block, or of the block that the caller could place.',
  })
  readonly blockScope!: 'ACCOUNT' | 'SPACE' | null;
  @Field(() => Boolean, { description: 'Whether the caller may block or unblock the student.' })
  readonly isBlockable!: boolean;
  @Field(() => String, { nullable: true, description: 'The rule that prevents it.' })
  readonly blockRefusal!: string | null;
  @Field(() => Boolean, {
    description: 'Whether the caller may suspend the student in the space now, or replace the suspension.',
  })
  readonly isSuspendable!: boolean;
  @Field(() => Boolean, { description: 'Whether the caller may warn the student in the space.' })
  readonly isWarnable!: boolean;
  @Field(() => Boolean, {
    description: 'Whether the caller may remove all posts of the student in the space with `removePosts`.',
  })
  readonly arePostsRemovable!: boolean;
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the suspension ends; null if there is none or it has to be lifted.',
  })
  readonly suspendedUntil!: string | null;
}

@ObjectType({ description: 'A suspension of the caller in a space. Does not name the moderator.' })
export class OwnSuspension {
  @Field(() => DateTimeScalar) readonly since!: string;
  @Field(() => DateTimeScalar, { nullable: true, description: 'When it ends; null if it has to be lifted.' })
  readonly until!: string | null;
  @Field(() => String, { description: 'Explanation by the moderator.' }) readonly reason!: string;
  @Field(() => String, {
    nullable: true,
    description:
      'Where to object: an email address, a web address or a name. Null if the installation names nobody.',
  })
  readonly objectTo!: string | null;
}

@ObjectType()
export class StudentPost {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'QUESTION or ANSWER.' }) readonly postType!: PostType;
  @Field(() => String, { description: 'Title of the question.' }) readonly title!: string;
  @Field(() => String, { description: 'Plain text, shortened from the body.' }) readonly excerpt!: string;
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => Int) readonly upvoteCount!: number;
  @Field(() => Boolean, { description: 'Whether the question is solved or the answer accepted.' })
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

import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { InvalidationCategory, PostType } from '@nimo/domain';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { PostTypeEnum } from '../reports/post-report.type.js';
import { Author } from '../students/author.type.js';
import { JudgedQuestion, JudgedVote } from './vote-pattern.type.js';

export const InvalidationCategoryEnum: { readonly [C in InvalidationCategory]: C } = {
  ARRANGED: 'ARRANGED',
  SERIAL: 'SERIAL',
  VOTING_ONLY: 'VOTING_ONLY',
  OTHER: 'OTHER',
};
registerEnumType(InvalidationCategoryEnum, {
  name: 'InvalidationCategory',
  description: 'What those concerned are told of the reason.',
});

@InputType()
export class VoteRefInput {
  @Field(() => ID) readonly postId!: string;
  @Field(() => ID) readonly voterId!: string;
}

@ObjectType()
export class CaseSpace {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
}

@ObjectType()
export class EffectStanding {
  @Field(() => Int) readonly reputations!: number;
  @Field(() => Int) readonly commitments!: number;
  @Field(() => Int) readonly score!: number;
  @Field(() => Int, { nullable: true }) readonly rank!: number | null;
}

@ObjectType()
export class StudentEffect {
  @Field(() => Author) readonly student!: Author;
  @Field(() => CaseSpace) readonly space!: CaseSpace;
  @Field(() => Int) readonly votesGiven!: number;
  @Field(() => Int) readonly votesReceived!: number;
  @Field(() => EffectStanding) readonly before!: EffectStanding;
  @Field(() => EffectStanding) readonly after!: EffectStanding;
}

@ObjectType()
export class PostVoteCounts {
  @Field(() => Int) readonly upvotes!: number;
  @Field(() => Int) readonly downvotes!: number;
}

@ObjectType()
export class PostEffect {
  @Field(() => ID) readonly postId!: string;
  @Field(() => PostTypeEnum) readonly postType!: PostType;
  @Field(() => JudgedQuestion) readonly question!: JudgedQuestion;
  @Field(() => PostVoteCounts) readonly before!: PostVoteCounts;
  @Field(() => PostVoteCounts) readonly after!: PostVoteCounts;
}

@ObjectType()
export class InvalidationEffect {
  @Field(() => [StudentEffect], { description: 'Those whose score moves most, 100 of them.' })
  readonly students!: readonly StudentEffect[];
  @Field(() => Int, { description: 'All that are concerned.' }) readonly studentCount!: number;
  @Field(() => [PostEffect], { description: 'Those whose votes move most, 100 of them.' })
  readonly posts!: readonly PostEffect[];
  @Field(() => Int, { description: 'All that are concerned.' }) readonly postCount!: number;
  /** Of all that are concerned, for the trace. */
  readonly spaceIds!: readonly string[];
}

@ObjectType()
export class InvalidationPreview {
  @Field(() => String, {
    description: 'Confirms what was seen: other votes, or votes changed since, are refused.',
  })
  readonly fingerprint!: string;
  @Field(() => InvalidationEffect) readonly effect!: InvalidationEffect;
}

@ObjectType()
export class InvalidationCase {
  @Field(() => ID) readonly _id!: string;
  @Field(() => [CaseSpace]) readonly spaces!: readonly CaseSpace[];
  @Field(() => Author) readonly moderator!: Author;
  @Field(() => InvalidationCategoryEnum) readonly category!: InvalidationCategory;
  @Field(() => String) readonly reason!: string;
  @Field(() => Int) readonly votes!: number;
  @Field(() => DateTimeScalar) readonly openedAt!: string;
  @Field(() => Author, { nullable: true }) readonly reversedBy!: Author | null;
  @Field(() => String, { nullable: true }) readonly reversalReason!: string | null;
  @Field(() => DateTimeScalar, { nullable: true }) readonly reversedAt!: string | null;
}

@ObjectType()
export class InvalidationCaseDetail extends InvalidationCase {
  @Field(() => [JudgedVote]) readonly judgedVotes!: readonly JudgedVote[];
  @Field(() => InvalidationEffect, { nullable: true, description: 'What it did when it was confirmed.' })
  readonly effect!: InvalidationEffect | null;
}

@ObjectType()
export class InvalidationCasePage {
  @Field(() => [InvalidationCase]) readonly docs!: readonly InvalidationCase[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { Space } from '../spaces/space.types.js';
import { Author } from '../students/student.types.js';

@ObjectType()
export class LeaderboardScore {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly scope!: string;
  @Field(() => Space) readonly space!: Space;
  @Field(() => Int) readonly score!: number;
  @Field(() => Int, { description: 'Merit.' }) readonly reputations!: number;
  @Field(() => Int, { description: 'Impact.' }) readonly commitments!: number;
  @Field(() => Int) readonly questionsAsked!: number;
  @Field(() => Int) readonly questionsAnswered!: number;
  @Field(() => Int) readonly answersAccepted!: number;
  @Field(() => Author) readonly student!: Author;
  @Field(() => Int, { description: 'Place in the space, from 1, without gaps.' }) readonly rank!: number;
}

@ObjectType()
export class LeaderboardScorePage {
  @Field(() => [LeaderboardScore]) readonly docs!: readonly LeaderboardScore[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

@ObjectType()
export class OwnLeaderboardScore {
  @Field(() => LeaderboardScore, { nullable: true }) readonly scores!: LeaderboardScore | null;
  @Field(() => Int, { nullable: true }) readonly rank!: number | null;
}

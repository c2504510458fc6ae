import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { PersonReference, Reference } from '../questions/questions.resolver.js';
import { Author } from '../students/student.types.js';

export const MENTIONS = 'User names mentioned in the body. Any other @[…] is plain text.';

@ObjectType()
export class Comment {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'Plain text. Mentions are written @[username].' })
  readonly body!: string;
  @Field(() => [String], { description: MENTIONS }) readonly mentions!: readonly string[];
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => Int) readonly upvoteCount!: number;
  @Field(() => Int) readonly downvoteCount!: number;
  @Field(() => [PersonReference]) readonly upvotedBy!: readonly PersonReference[];
  @Field(() => [PersonReference]) readonly downvotedBy!: readonly PersonReference[];
  @Field(() => Author) readonly author!: Author;
  @Field(() => Reference, { nullable: true }) readonly question!: Reference | null;
  @Field(() => Reference, { nullable: true }) readonly answer!: Reference | null;
}

@ObjectType()
export class CommentPage {
  @Field(() => [Comment]) readonly docs!: readonly Comment[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { PersonReference, Reference } from '../questions/questions.resolver.js';
import { Author } from '../students/student.types.js';

/** `comments` is resolved separately, batched for all answers of a request. */
@ObjectType()
export class Answer {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'Title of the question.' }) readonly title!: string;
  @Field(() => String, { description: 'Sanitised HTML.' }) readonly body!: string;
  @Field(() => [String]) readonly imageUrls!: readonly string[];
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => DateTimeScalar, { nullable: true }) readonly editedAt!: string | null;
  @Field(() => Int) readonly upvoteCount!: number;
  @Field(() => Int) readonly downvoteCount!: number;
  @Field(() => Int) readonly commentsCount!: number;
  @Field(() => [PersonReference], { description: 'The caller if they upvoted, otherwise empty.' })
  readonly upvotedBy!: readonly PersonReference[];
  @Field(() => [PersonReference], { description: 'The caller if they downvoted, otherwise empty.' })
  readonly downvotedBy!: readonly PersonReference[];
  @Field(() => Author) readonly author!: Author;
  @Field(() => Reference) readonly question!: Reference;
}

@ObjectType()
export class AnswerPage {
  @Field(() => [Answer]) readonly docs!: readonly Answer[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { Space } from '../spaces/space.type.js';
import { Author } from '../students/author.type.js';
import { Subject } from '../subjects/subject.type.js';
import { Topic } from '../topics/topic.type.js';
import { PersonReference, Reference } from './reference.type.js';

@ObjectType()
export class Question {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly title!: string;
  @Field(() => String, { description: 'Sanitised HTML.' }) readonly body!: string;
  @Field(() => String, {
    description:
      'Plain text cut from the body: what a card shows. A formula is between dollar signs with U+2063 around them; behind a dollar sign that is part of no formula may be U+2060.',
  })
  readonly excerpt!: string;
  @Field(() => [String]) readonly tags!: readonly string[];
  @Field(() => [String]) readonly imageUrls!: readonly string[];
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => DateTimeScalar, { nullable: true }) readonly editedAt!: string | null;
  @Field(() => Int) readonly upvoteCount!: number;
  @Field(() => Int) readonly downvoteCount!: number;
  @Field(() => Int) readonly answerCount!: number;
  @Field(() => Int) readonly commentsCount!: number;
  @Field(() => Reference, { nullable: true }) readonly acceptedAnswer!: Reference | null;
  @Field(() => Subject) readonly subject!: Subject;
  @Field(() => Topic) readonly topic!: Topic;
  @Field(() => String, { nullable: true }) readonly schoolClass!: string | null;
  @Field(() => Space) readonly space!: Space;
  @Field(() => String) readonly scope!: string;
  @Field(() => [PersonReference], { description: 'The caller where the caller upvoted, otherwise empty.' })
  readonly upvotedBy!: readonly PersonReference[];
  @Field(() => [PersonReference], { description: 'The caller where the caller downvoted, otherwise empty.' })
  readonly downvotedBy!: readonly PersonReference[];
  @Field(() => Author) readonly author!: Author;
  @Field(() => String) readonly obType!: string;
  @Field(() => Boolean, { description: 'The caller has bookmarked it.' }) readonly isSaved!: boolean;
  @Field(() => Boolean) readonly isAuthorizedToView!: boolean;
  @Field(() => Boolean) readonly isAuthorizedToInteract!: boolean;
}

@ObjectType()
export class QuestionPage {
  @Field(() => [Question]) readonly docs!: readonly Question[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
  @Field(() => String, { nullable: true }) readonly endCursor?: string | null;
}

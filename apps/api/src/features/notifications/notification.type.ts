import { createUnionType, Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { NotificationViewType } from '@nimo/projections';
import { deprecated } from '../schema/interfaces.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Author } from '../students/student.types.js';

const NotificationTypeEnum: Readonly<Record<NotificationViewType, NotificationViewType>> = {
  NEW_QUESTION: 'NEW_QUESTION',
  NEW_ANSWER: 'NEW_ANSWER',
  ANSWER_ACCEPTED: 'ANSWER_ACCEPTED',
  NEW_COMMENT: 'NEW_COMMENT',
  NEW_QUESTION_COMMENT: 'NEW_QUESTION_COMMENT',
  MENTION: 'MENTION',
  POST_REMOVED: 'POST_REMOVED',
  POST_RESTORED: 'POST_RESTORED',
  QUESTION_UPVOTED: 'QUESTION_UPVOTED',
  ANSWER_UPVOTED: 'ANSWER_UPVOTED',
};
registerEnumType(NotificationTypeEnum, { name: 'NotificationType' });

@ObjectType()
class NotificationPlace {
  @Field(() => ID, { nullable: true }) readonly questionId!: string | null;
  @Field(() => String) readonly questionTitle!: string;
}

@ObjectType()
class QuestionNotification extends NotificationPlace {
  @Field(() => Author) readonly author!: Author;
}

@ObjectType({ description: 'The answer that a notification is about.' })
export class NotifiedAnswer {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'The beginning, as plain text.' }) readonly excerpt!: string;
}

/** Of one name and different types in the members of the union: no document could ask for them by one name. */
const AS_ANSWER = deprecated(
  '2026-11-25',
  '2027-11-25',
  'Ask for `answer`, which has the same type in every notification.',
);
const ANSWER = {
  nullable: true,
  description: 'The answer that it is about; null where it is about the question itself.',
};

@ObjectType()
class AnswerNotification extends QuestionNotification {
  @Field(() => NotifiedAnswer, ANSWER) readonly answer!: NotifiedAnswer | null;
  @Field(() => ID, { deprecationReason: AS_ANSWER }) readonly answerId!: string;
  @Field(() => String, { description: 'The beginning, as plain text.', deprecationReason: AS_ANSWER })
  readonly answerBody!: string;
}

@ObjectType({ description: 'A comment on an answer.' })
class CommentNotification extends AnswerNotification {
  @Field(() => ID) readonly commentId!: string;
  @Field(() => String, { description: 'The beginning; a mention reads @name.' })
  readonly commentBody!: string;
}

@ObjectType({ description: 'A comment on a question.' })
class QuestionCommentNotification extends QuestionNotification {
  @Field(() => ID) readonly commentId!: string;
  @Field(() => String, { description: 'The beginning; a mention reads @name.' })
  readonly commentBody!: string;
}

@ObjectType({ description: 'Upvotes that a post got on one day (UTC), told when it is over; never whose.' })
class VoteNotification extends NotificationPlace {
  @Field(() => NotifiedAnswer, ANSWER) readonly answer!: NotifiedAnswer | null;
  @Field(() => ID, {
    nullable: true,
    description: 'Null where the question itself was upvoted.',
    deprecationReason: AS_ANSWER,
  })
  readonly answerId!: string | null;
  @Field(() => String, { nullable: true, deprecationReason: AS_ANSWER })
  readonly answerBody!: string | null;
  @Field(() => Int) readonly upvotes!: number;
}

@ObjectType({
  description: 'What a moderator decided about an own post; never who, and never who reported it.',
})
class RulingNotification extends NotificationPlace {
  @Field(() => String, { description: "The moderator's words to the author." }) readonly reason!: string;
}

const payloads = {
  QuestionNotification,
  AnswerNotification,
  CommentNotification,
  QuestionCommentNotification,
  VoteNotification,
  RulingNotification,
};

export type NotificationPayload = {
  readonly [Kind in keyof typeof payloads]: { readonly kind: Kind } & InstanceType<(typeof payloads)[Kind]>;
}[keyof typeof payloads];

const NotificationPayloadUnion = createUnionType({
  name: 'NotificationPayload',
  types: () => Object.values(payloads),
  resolveType: ({ kind }: NotificationPayload) => kind,
});

@ObjectType()
export class Notification {
  @Field(() => ID) readonly _id!: string;
  @Field(() => NotificationTypeEnum) readonly type!: NotificationViewType;
  @Field(() => String, { description: 'In English, for clients that do not word the type themselves.' })
  readonly title!: string;
  @Field(() => String) readonly body!: string;
  @Field(() => Boolean, { description: 'It came after the last look (`markNotificationsSeen`).' })
  readonly isNew!: boolean;
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => NotificationPayloadUnion) readonly payload!: NotificationPayload;
}

@ObjectType()
export class NotificationPage {
  @Field(() => [Notification]) readonly docs!: readonly Notification[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

@ObjectType({
  description: 'Something for the listener may have arrived: read again. Says neither who nor what.',
})
export class NotificationArrival {
  @Field(() => ID) readonly space!: string;
}

import { createUnionType, Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { ReportedPostType } from '@nimo/domain';
import type { NotificationViewType } from '@nimo/projections';
import { deprecated } from '../schema/interfaces.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { PostTypeEnum } from '../reports/reports.resolver.js';
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
  SUSPENDED: 'SUSPENDED',
  WARNED: 'WARNED',
  POSTS_REMOVED: 'POSTS_REMOVED',
  POSTS_RESTORED: 'POSTS_RESTORED',
  QUESTION_UPVOTED: 'QUESTION_UPVOTED',
  ANSWER_UPVOTED: 'ANSWER_UPVOTED',
  ENTRY_REQUESTED: 'ENTRY_REQUESTED',
  POST_REPORTED: 'POST_REPORTED',
  CASE_ESCALATED: 'CASE_ESCALATED',
  PATTERNS_FOUND: 'PATTERNS_FOUND',
  INVALIDATION_PROPOSED: 'INVALIDATION_PROPOSED',
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

@ObjectType({ description: 'The answer of a notification.' })
export class NotifiedAnswer {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'Beginning of the body as plain text.' }) readonly excerpt!: string;
}

/** Nullable in one union member but not in another, so a query cannot select it under one name. */
const USE_ANSWER = deprecated(
  '2026-11-25',
  '2027-11-25',
  'Use `answer`, which has the same type in every notification.',
);
const ANSWER_FIELD = {
  nullable: true,
  description: 'Null if the notification is about the question itself.',
};

@ObjectType()
class AnswerNotification extends QuestionNotification {
  @Field(() => NotifiedAnswer, ANSWER_FIELD) readonly answer!: NotifiedAnswer | null;
  @Field(() => ID, { deprecationReason: USE_ANSWER }) readonly answerId!: string;
  @Field(() => String, { description: 'Beginning of the body as plain text.', deprecationReason: USE_ANSWER })
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

@ObjectType({
  description: 'Number of upvotes of a post on one day (UTC), sent when the day is over. Never names voters.',
})
class VoteNotification extends NotificationPlace {
  @Field(() => NotifiedAnswer, ANSWER_FIELD) readonly answer!: NotifiedAnswer | null;
  @Field(() => ID, {
    nullable: true,
    description: 'Null if the question itself was upvoted.',
    deprecationReason: USE_ANSWER,
  })
  readonly answerId!: string | null;
  @Field(() => String, { nullable: true, deprecationReason: USE_ANSWER })
  readonly answerBody!: string | null;
  @Field(() => Int) readonly upvotes!: number;
}

@ObjectType({
  description:
    'A moderation decision about the recipient’s post. Names neither the moderator nor the reporters.',
})
class RulingNotification extends NotificationPlace {
  @Field(() => String, { description: 'Explanation by the moderator.' }) readonly reason!: string;
}

@ObjectType({
  description:
    'A suspension of the recipient in a space. Does not name the moderator. No longer listed once it has ended or was lifted.',
})
class SuspensionNotification {
  @Field(() => String, { description: 'Explanation by the moderator.' }) readonly reason!: string;
  @Field(() => DateTimeScalar, { nullable: true, description: 'When it ends; null if it has to be lifted.' })
  readonly until!: string | null;
  @Field(() => ID) readonly space!: string;
  @Field(() => String) readonly spaceName!: string;
}

@ObjectType({ description: 'The post that a warning is about, where it can be read.' })
class WarnedPost {
  @Field(() => ID, { description: 'The question, or the question with the post.' })
  readonly questionId!: string;
  @Field(() => String) readonly questionTitle!: string;
  @Field(() => ID, { nullable: true, description: 'The answer, or the answer with the comment.' })
  readonly answerId!: string | null;
  @Field(() => ID, { nullable: true }) readonly commentId!: string | null;
}

/** A decision of a moderator about the recipient in a space. */
@ObjectType({ isAbstract: true })
abstract class DecisionNotification {
  @Field(() => ID, { description: 'Identifier of the space.' }) readonly space!: string;
  @Field(() => String, { description: 'Name of the space.' }) readonly spaceName!: string;
  @Field(() => String, {
    nullable: true,
    description:
      'Where to object: an email address, a web address or a name. Null if the installation names nobody.',
  })
  readonly objectTo!: string | null;
}

@ObjectType({ description: 'A warning of the recipient in a space. Does not name the moderator.' })
class WarningNotification extends DecisionNotification {
  @Field(() => String, { description: 'Text by the moderator.' }) readonly warning!: string;
  @Field(() => WarnedPost, {
    nullable: true,
    description: 'Null if the warning is about no post, or the post is no longer visible.',
  })
  readonly post!: WarnedPost | null;
}

@ObjectType({
  description:
    'A removal of all posts of the recipient in a space, or its reversal. Names neither the moderator nor reporters.',
})
class RemovalNotification extends DecisionNotification {
  @Field(() => String, { description: 'Explanation by the moderator.' }) readonly reason!: string;
  @Field(() => Int, { description: 'Number of posts removed or restored.' }) readonly posts!: number;
}

@ObjectType({
  description:
    'An open request to join the space, for its moderators. Answered with `answerEntryRequest`; an answered or withdrawn request is no longer listed.',
})
class EntryRequestNotification {
  @Field(() => Author) readonly student!: Author;
  @Field(() => String, { nullable: true }) readonly text!: string | null;
  @Field(() => ID) readonly space!: string;
  @Field(() => String) readonly spaceName!: string;
}

@ObjectType({
  description:
    'A reported post that waits for a decision, for the moderators of its space. Never names reporters. A decided case is no longer listed.',
})
class CaseNotification {
  @Field(() => ID) readonly postId!: string;
  @Field(() => PostTypeEnum) readonly postType!: ReportedPostType;
  @Field(() => String) readonly questionTitle!: string;
  @Field(() => Int) readonly openReports!: number;
  @Field(() => ID) readonly space!: string;
  @Field(() => String) readonly spaceName!: string;
}

@ObjectType({
  description:
    'Vote patterns of a space to triage, for its moderators. May lag by ten minutes; a triaged pattern is no longer counted.',
})
class PatternNotification {
  @Field(() => Int) readonly patterns!: number;
  @Field(() => ID) readonly space!: string;
  @Field(() => String) readonly spaceName!: string;
}

@ObjectType({
  description:
    'A proposal to invalidate many votes, for the moderators who may confirm it. A confirmed or declined proposal is no longer listed.',
})
class ProposalNotification {
  @Field(() => ID) readonly caseId!: string;
  @Field(() => String) readonly reason!: string;
  @Field(() => Int) readonly votes!: number;
  @Field(() => ID) readonly space!: string;
  @Field(() => String) readonly spaceName!: string;
}

const payloads = {
  QuestionNotification,
  AnswerNotification,
  CommentNotification,
  QuestionCommentNotification,
  VoteNotification,
  RulingNotification,
  SuspensionNotification,
  WarningNotification,
  RemovalNotification,
  EntryRequestNotification,
  CaseNotification,
  PatternNotification,
  ProposalNotification,
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
  @Field(() => String, { description: 'English text for clients that do not localise `type`.' })
  readonly title!: string;
  @Field(() => String) readonly body!: string;
  @Field(() => Boolean, { description: 'Whether it arrived after the last `markNotificationsSeen`.' })
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
  description: 'Signals that notifications may have arrived and should be refetched.',
})
export class NotificationArrival {
  @Field(() => ID) readonly space!: string;
}

import { createUnionType, Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { ActivityDataKind } from '@nimo/projections';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { MENTIONS } from '../comments/comment.type.js';
import { Reference } from '../questions/questions.resolver.js';
import { Author } from '../students/student.types.js';

/** Comments cannot be voted on, so their vote types never occur. */
const ACTIVITY_TYPES = [
  'CREATE_QUESTION',
  'UPVOTE_QUESTION',
  'DOWNVOTE_QUESTION',
  'CREATE_ANSWER',
  'UPVOTE_ANSWER',
  'DOWNVOTE_ANSWER',
  'CREATE_COMMENT',
  'UPVOTE_COMMENT',
  'DOWNVOTE_COMMENT',
  'CREATE_QUESTION_COMMENT',
  'UPVOTE_QUESTION_COMMENT',
  'DOWNVOTE_QUESTION_COMMENT',
] as const;
type ActivityTypeName = (typeof ACTIVITY_TYPES)[number];
const ActivityTypeEnum = Object.fromEntries(ACTIVITY_TYPES.map((type) => [type, type]));
registerEnumType(ActivityTypeEnum, { name: 'ActivityType' });

const DATA_KINDS = ['Question', 'Answer', 'Comment', 'QuestionComment'] as const satisfies ActivityDataKind[];
const DataKindEnum = Object.fromEntries(DATA_KINDS.map((kind) => [kind, kind]));
registerEnumType(DataKindEnum, { name: 'ActivityDataKind' });

@ObjectType()
class ActivityPost {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'Title of the question.' }) readonly title!: string;
}

@ObjectType()
class ActivityQuestion extends ActivityPost {
  @Field(() => String, { description: 'Sanitised HTML, truncated if long.' })
  readonly body!: string;
}

@ObjectType()
class ActivityAnswer extends ActivityQuestion {
  @Field(() => Reference, { nullable: true }) readonly question!: Reference | null;
}

@ObjectType({ description: 'A comment on a question.' })
class ActivityQuestionComment extends ActivityPost {
  @Field(() => String, { description: 'Plain text. Mentions are written @[username].' })
  readonly body!: string;
  @Field(() => [String], { description: MENTIONS }) readonly mentions!: readonly string[];
  @Field(() => Reference, { nullable: true }) readonly question!: Reference | null;
}

@ObjectType()
class ActivityCommentAnswer {
  @Field(() => ID) readonly _id!: string;
  @Field(() => Reference, { nullable: true }) readonly question!: Reference | null;
}

@ObjectType({ description: 'A comment on an answer.' })
class ActivityComment extends ActivityPost {
  @Field(() => String, { description: 'Plain text. Mentions are written @[username].' })
  readonly body!: string;
  @Field(() => [String], { description: MENTIONS }) readonly mentions!: readonly string[];
  @Field(() => ActivityCommentAnswer, { nullable: true }) readonly answer!: ActivityCommentAnswer | null;
}

const data = {
  Question: ActivityQuestion,
  Answer: ActivityAnswer,
  Comment: ActivityComment,
  QuestionComment: ActivityQuestionComment,
} as const satisfies Readonly<Record<ActivityDataKind, unknown>>;

export type ActivityData = {
  readonly [Kind in ActivityDataKind]: { readonly kind: Kind } & InstanceType<(typeof data)[Kind]>;
}[ActivityDataKind];

const ActivityDataUnion = createUnionType({
  name: 'ActivityData',
  types: () => Object.values(data),
  resolveType: ({ kind }: ActivityData) => data[kind],
});

@ObjectType()
export class ActivitySubject {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly subjectName!: string;
  @Field(() => String, { description: 'Hex without #.' }) readonly color!: string;
}

@ObjectType()
export class ActivityTopic {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly topicName!: string;
}

@ObjectType({ description: 'An action of a student on a post.' })
export class StudentActivity {
  @Field(() => ID) readonly _id!: string;
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => ActivityTypeEnum) readonly activityType!: ActivityTypeName;
  @Field(() => DataKindEnum, { description: 'Type of `data`.' })
  readonly dataResolve!: ActivityDataKind;
  @Field(() => ActivitySubject) readonly subject!: ActivitySubject;
  @Field(() => ActivityTopic) readonly topic!: ActivityTopic;
  @Field(() => Author) readonly student!: Author;
  @Field(() => ActivityDataUnion) readonly data!: ActivityData;
}

@ObjectType()
export class StudentActivityPage {
  @Field(() => [StudentActivity]) readonly docs!: readonly StudentActivity[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { QuestionAsOfView } from '@nimo/projections';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Answer } from '../answers/answer.type.js';
import { Comment } from '../comments/comment.type.js';
import { Question } from '../questions/questions.resolver.js';
import { Author } from '../students/student.types.js';

@ObjectType({ description: 'A place on a leaderboard.' })
export class Standing {
  @Field(() => Int, { description: 'From 1, without gaps.' }) readonly rank!: number;
  @Field(() => Int) readonly score!: number;
  @Field(() => Int, { description: 'Merit.' }) readonly reputations!: number;
  @Field(() => Int, { description: 'Impact.' }) readonly commitments!: number;
}

@ObjectType()
export class ScoreAsOf extends Standing {
  @Field(() => ID, { description: 'The student’s.' }) readonly _id!: string;
  @Field(() => Author, { description: 'With the name of today.' }) readonly student!: Author;
  @Field(() => Int) readonly questionsAsked!: number;
  @Field(() => Int) readonly questionsAnswered!: number;
  @Field(() => Int) readonly answersAccepted!: number;
  @Field(() => Standing, { nullable: true, description: 'Where the student stands today.' })
  readonly now!: Standing | null;
}

@ObjectType()
export class LeaderboardAsOfPage {
  @Field(() => [ScoreAsOf], { description: 'The best score first.' }) readonly docs!: readonly ScoreAsOf[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
  @Field(() => Int, { description: 'Version of the scoring rules that was in force then.' })
  readonly rulesVersion!: number;
}

@ObjectType()
export class AnswerAsOf extends Answer {
  @Field(() => [Comment]) readonly comments!: readonly Comment[];
}

const QuestionStateEnum = {
  NOT_ASKED_YET: 'NOT_ASKED_YET',
  VISIBLE: 'VISIBLE',
  REMOVED: 'REMOVED',
} as const satisfies Record<QuestionAsOfView['state'], string>;
registerEnumType(QuestionStateEnum, { name: 'QuestionState' });

@ObjectType({
  description: 'A question’s page as everybody saw it then; what was removed is shown to moderators.',
})
export class QuestionAsOf {
  @Field(() => QuestionStateEnum) readonly state!: QuestionAsOfView['state'];
  @Field(() => Question, { nullable: true, description: 'Null while it had not been asked.' })
  readonly question!: Question | null;
  @Field(() => [AnswerAsOf], { description: 'The accepted one first, then the oldest first.' })
  readonly answers!: readonly AnswerAsOf[];
  @Field(() => [Comment]) readonly comments!: readonly Comment[];
}

@ObjectType()
export class HistoryMark {
  @Field(() => Int) readonly ordinal!: number;
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field(() => String, { description: 'The type of the event.' }) readonly kind!: string;
}

@ObjectType({ description: 'From where to where one can look back.' })
export class HistoryRange {
  @Field(() => Int) readonly firstOrdinal!: number;
  @Field(() => DateTimeScalar) readonly firstAt!: string;
  @Field(() => Int) readonly lastOrdinal!: number;
  @Field(() => DateTimeScalar) readonly lastAt!: string;
  @Field(() => [HistoryMark], { description: 'Publications and decisions; of a question all that happened.' })
  readonly marks!: readonly HistoryMark[];
}

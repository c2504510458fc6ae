import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { type AsOf, ordinalReached, type QuestionAsOfView } from '@nimo/projections';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { ApiError } from '../../platform/errors/api-error.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { type Clock, CLOCK } from '../../platform/config/tokens.js';
import { Answer } from '../answers/answer.type.js';
import { Comment } from '../comments/comment.type.js';
import { Question } from '../questions/questions.resolver.js';
import { Author } from '../students/student.types.js';

@InputType({ description: 'A point in the past: exactly one of the two.' })
export class AsOfInput {
  @Field(() => Int, { nullable: true, description: 'All up to this place in the log.' })
  readonly ordinal?: number | null;
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'All that had happened by this moment, whenever it was logged.',
  })
  readonly at?: string | null;
}

/** Before anything that a log could tell of. */
const EARLIEST = '1900-01-01T00:00:00.000Z';
/** Clocks differ a little; nobody is refused for asking for now. */
const CLOCKS_DIFFER_MS = 60_000;

/** @throws ApiError naming the field and the rule. */
export function asOfPoint(
  { ordinal, at }: AsOfInput,
  { lastOrdinal, now }: { readonly lastOrdinal: number; readonly now: Date },
): AsOf {
  const [hasOrdinal, hasMoment] = [typeof ordinal === 'number', typeof at === 'string'];
  if (hasOrdinal === hasMoment)
    throw refused('asOf', 'AS_OF_EXACTLY_ONE', 'asOf must have exactly one of ordinal and at.');
  if (typeof ordinal === 'number') {
    if (ordinal < 1 || ordinal > lastOrdinal)
      throw refused('ordinal', 'AS_OF_OUTSIDE_THE_LOG', `ordinal must be between 1 and ${lastOrdinal}.`);
    return { by: 'ordinal', ordinal };
  }
  const moment = at ?? now.toISOString();
  if (Date.parse(moment) > now.getTime() + CLOCKS_DIFFER_MS)
    throw refused('at', 'AS_OF_NOT_YET', 'at must not be later than now.');
  if (Date.parse(moment) < Date.parse(EARLIEST))
    throw refused('at', 'AS_OF_OUTSIDE_THE_LOG', `at must not be earlier than ${EARLIEST.slice(0, 10)}.`);
  return { by: 'moment', at: moment };
}

const refused = (field: string, rule: string, message: string): ApiError =>
  new ApiError('VALIDATION_FAILED', message, { field, rule });

/** What may be asked for: up to where the projection that answers has come. */
@Injectable()
export class AsOfPoints {
  constructor(
    private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  ofSpaces(asOf: AsOfInput): Promise<AsOf> {
    return this.point(asOf, 'history');
  }

  ofQuestions(asOf: AsOfInput): Promise<AsOf> {
    return this.point(asOf, 'question_history');
  }

  private async point(asOf: AsOfInput, projection: string): Promise<AsOf> {
    const lastOrdinal = await ordinalReached(this.pool, projection);
    return asOfPoint(asOf, { lastOrdinal, now: this.clock() });
  }
}

@ObjectType({ description: 'A place on a leaderboard.' })
class Standing {
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
class AnswerAsOf extends Answer {
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
class HistoryMark {
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

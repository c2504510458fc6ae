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

@InputType({ description: 'A point in the past. Set exactly one field.' })
export class AsOfInput {
  @Field(() => Int, { nullable: true, description: 'Includes events up to this log position.' })
  readonly ordinal?: number | null;
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Includes events that occurred up to this time, whenever they were recorded.',
  })
  readonly at?: string | null;
}

/** Earlier than any event. */
const EARLIEST = '1900-01-01T00:00:00.000Z';
/** Lets clients with a slightly fast clock ask for the current time. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** @throws ApiError VALIDATION_FAILED with the field and the rule */
export function asOfPoint(
  { ordinal, at }: AsOfInput,
  { lastOrdinal, now }: { readonly lastOrdinal: number; readonly now: Date },
): AsOf {
  const [hasOrdinal, hasMoment] = [typeof ordinal === 'number', typeof at === 'string'];
  if (hasOrdinal === hasMoment)
    throw invalid('asOf', 'AS_OF_EXACTLY_ONE', 'Set exactly one of ordinal and at.');
  if (typeof ordinal === 'number') {
    if (ordinal < 1 || ordinal > lastOrdinal)
      throw invalid('ordinal', 'AS_OF_OUTSIDE_THE_LOG', `ordinal must be between 1 and ${lastOrdinal}.`);
    return { by: 'ordinal', ordinal };
  }
  const moment = at ?? now.toISOString();
  if (Date.parse(moment) > now.getTime() + MAX_CLOCK_SKEW_MS)
    throw invalid('at', 'AS_OF_NOT_YET', 'at must not be later than now.');
  if (Date.parse(moment) < Date.parse(EARLIEST))
    throw invalid('at', 'AS_OF_OUTSIDE_THE_LOG', `at must not be earlier than ${EARLIEST.slice(0, 10)}.`);
  return { by: 'moment', at: moment };
}

const invalid = (field: string, rule: string, message: string): ApiError =>
  new ApiError('VALIDATION_FAILED', message, { field, rule });

/** Validates points in the past against the progress of the projection that serves them. */
@Injectable()
export class AsOfPoints {
  constructor(
    private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  forSpaces(asOf: AsOfInput): Promise<AsOf> {
    return this.point(asOf, 'history');
  }

  forQuestions(asOf: AsOfInput): Promise<AsOf> {
    return this.point(asOf, 'question_history');
  }

  private async point(asOf: AsOfInput, projection: string): Promise<AsOf> {
    const lastOrdinal = await ordinalReached(this.pool, projection);
    return asOfPoint(asOf, { lastOrdinal, now: this.clock() });
  }
}

@ObjectType({ description: 'Rank and scores on a leaderboard.' })
class Standing {
  @Field(() => Int, { description: 'From 1, without gaps.' }) readonly rank!: number;
  @Field(() => Int) readonly score!: number;
  @Field(() => Int, { description: 'Merit.' }) readonly reputations!: number;
  @Field(() => Int, { description: 'Impact.' }) readonly commitments!: number;
}

@ObjectType()
export class ScoreAsOf extends Standing {
  @Field(() => ID, { description: 'Id of the student.' }) readonly _id!: string;
  @Field(() => Author, { description: 'With the current name.' }) readonly student!: Author;
  @Field(() => Int) readonly questionsAsked!: number;
  @Field(() => Int) readonly questionsAnswered!: number;
  @Field(() => Int) readonly answersAccepted!: number;
  @Field(() => Standing, { nullable: true, description: 'The current rank and scores.' })
  readonly now!: Standing | null;
}

@ObjectType()
export class LeaderboardAsOfPage {
  @Field(() => [ScoreAsOf], { description: 'Highest score first.' }) readonly docs!: readonly ScoreAsOf[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
  @Field(() => Int, { description: 'Version of the scoring rules in force at the time.' })
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
  description: 'A question as it was displayed at the time. Removed content is visible to moderators.',
})
export class QuestionAsOf {
  @Field(() => QuestionStateEnum) readonly state!: QuestionAsOfView['state'];
  @Field(() => Question, { nullable: true, description: 'Null if not asked yet.' })
  readonly question!: Question | null;
  @Field(() => [AnswerAsOf], { description: 'The accepted answer first, then oldest first.' })
  readonly answers!: readonly AnswerAsOf[];
  @Field(() => [Comment]) readonly comments!: readonly Comment[];
}

@ObjectType()
class HistoryMark {
  @Field(() => Int) readonly ordinal!: number;
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field(() => String, { description: 'Event type.' }) readonly kind!: string;
}

@ObjectType({ description: 'Range of history available.' })
export class HistoryRange {
  @Field(() => Int) readonly firstOrdinal!: number;
  @Field(() => DateTimeScalar) readonly firstAt!: string;
  @Field(() => Int) readonly lastOrdinal!: number;
  @Field(() => DateTimeScalar) readonly lastAt!: string;
  @Field(() => [HistoryMark], {
    description: 'Rule publications and moderation decisions; for a question, all its events.',
  })
  readonly marks!: readonly HistoryMark[];
}

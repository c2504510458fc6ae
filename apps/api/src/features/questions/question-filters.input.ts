import { ArgsType, Field, ID, InputType, Int } from '@nestjs/graphql';
import { ApiError } from '../../platform/errors/api-error.js';
import { assertOnly, idOf, optionalIdOf } from '../../platform/graphql/arguments.js';

@InputType()
export class QuestionQueryVals {
  @Field(() => ID) readonly space!: string;
  @Field(() => String, { nullable: true }) readonly scope?: string | null;
  @Field(() => ID, { nullable: true }) readonly subject?: string | null;
  @Field(() => ID, { nullable: true }) readonly topic?: string | null;
  @Field(() => Boolean, { nullable: true }) readonly myQuestions?: boolean | null;
  @Field(() => Boolean, { nullable: true }) readonly unsolvedQuestions?: boolean | null;
  @Field(() => Boolean, { nullable: true }) readonly savedQuestions?: boolean | null;
  @Field(() => Boolean, { nullable: true }) readonly solvedQuestions?: boolean | null;
}

@ArgsType()
export class SavedQuestionsArgs {
  @Field(() => ID) readonly space!: string;
  @Field(() => ID, { nullable: true }) readonly userId?: string | null;
  @Field(() => String, { nullable: true }) readonly scope?: string | null;
  @Field(() => Int, { nullable: true, defaultValue: 1 }) readonly page?: number | null;
  @Field(() => Int, { nullable: true, defaultValue: 20 }) readonly limit?: number | null;
  @Field(() => Int, { nullable: true, defaultValue: 1 }) readonly sort?: number | null;
  @Field(() => String, { nullable: true }) readonly after?: string | null;
  @Field(() => ID, { nullable: true }) readonly subject?: string | null;
  @Field(() => ID, { nullable: true }) readonly topic?: string | null;
  @Field(() => Boolean, { nullable: true }) readonly myQuestions?: boolean | null;
  @Field(() => Boolean, { nullable: true }) readonly unsolvedQuestions?: boolean | null;
  @Field(() => Boolean, { nullable: true }) readonly solvedQuestions?: boolean | null;
}

type Filters = Omit<QuestionQueryVals, 'savedQuestions'>;

/** The filters as the read side takes them. @throws ApiError where solved and unsolved are both asked for, or a scope that there is not */
export function filtersOf(asked: Filters) {
  assertOnly('scope', asked.scope, 'world');
  if (asked.solvedQuestions && asked.unsolvedQuestions) {
    throw new ApiError('VALIDATION_FAILED', 'Solved and Unsolved exclude each other.', {
      field: 'solvedQuestions',
      rule: 'FILTERS_EXCLUDE_EACH_OTHER',
    });
  }
  const isSolved = asked.solvedQuestions ? true : asked.unsolvedQuestions ? false : undefined;
  return {
    spaceId: idOf('space', asked.space),
    subjectId: optionalIdOf('subject', asked.subject),
    topicId: optionalIdOf('topic', asked.topic),
    isMine: asked.myQuestions ?? false,
    isSolved,
  };
}

/** 1 newest first, 2 most answers first. */
export function sortOf(sort: number | null | undefined): 'NEWEST' | 'MOST_ANSWERED' {
  switch (sort ?? 1) {
    case 1:
      return 'NEWEST';
    case 2:
      return 'MOST_ANSWERED';
    default:
      throw new ApiError('VALIDATION_FAILED', 'sort is 1 (newest first) or 2 (most answers first).', {
        field: 'sort',
        rule: 'SORT_UNKNOWN',
      });
  }
}

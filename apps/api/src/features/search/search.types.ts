import { ArgsType, Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { SEARCH_PAGE_SIZE } from '@nimo/domain';
import type { SearchSort } from '@nimo/search';
import { ApiError } from '../../platform/errors/api-error.js';
import { QuestionQueryVals } from '../questions/question-lists.resolver.js';
import { Answer } from '../answers/answer.type.js';
import { Question } from '../questions/questions.resolver.js';

const SORT = '1 newest first, 2 most answers first. Defaults to best match first.';

@ArgsType()
class SearchArgs {
  @Field(() => String) readonly search!: string;
  @Field(() => Int, { nullable: true, defaultValue: 0 }) readonly skip?: number | null;
  @Field(() => Int, { nullable: true, defaultValue: SEARCH_PAGE_SIZE }) readonly limit?: number | null;
  @Field(() => Int, { nullable: true, description: SORT }) readonly sort?: number | null;
}

@ArgsType()
export class QuestionSearchArgs extends SearchArgs {
  @Field(() => QuestionQueryVals) readonly queryVals!: QuestionQueryVals;
}

@ArgsType()
export class AnswerSearchArgs extends SearchArgs {
  @Field(() => ID) readonly space!: string;
  @Field(() => ID, { nullable: true }) readonly subject?: string | null;
  @Field(() => ID, { nullable: true }) readonly topic?: string | null;
}

export function searchSortOf(sort: number | null | undefined): SearchSort {
  switch (sort ?? undefined) {
    case undefined:
      return 'BEST';
    case 1:
      return 'NEWEST';
    case 2:
      return 'MOST_ANSWERED';
    default:
      throw new ApiError('VALIDATION_FAILED', 'sort must be 1 (newest first) or 2 (most answers first).', {
        field: 'sort',
        rule: 'SORT_UNKNOWN',
      });
  }
}

@ObjectType({ description: 'A part of plain text. Each match is a separate part.' })
class TextPart {
  @Field(() => String) readonly text!: string;
  @Field(() => Boolean) readonly isMatch!: boolean;
}

@ObjectType()
class QuestionHit {
  @Field(() => ID) readonly _id!: string;
  @Field(() => Question) readonly question!: Question;
  @Field(() => [TextPart]) readonly title!: readonly TextPart[];
  @Field(() => [TextPart], {
    description:
      'Excerpt of the body around the first matches. Formulas and dollar signs are marked as in `Question.excerpt`.',
  })
  readonly excerpt!: readonly TextPart[];
}

const DEGRADED = 'Whether a simpler engine answered because the search engine is unavailable.';

@ObjectType()
export class QuestionHits {
  @Field(() => [QuestionHit]) readonly hits!: readonly QuestionHit[];
  @Field(() => Boolean, { description: DEGRADED }) readonly degraded!: boolean;
}

@ObjectType()
class AnswerHit {
  @Field(() => ID) readonly _id!: string;
  @Field(() => Answer) readonly answer!: Answer;
  @Field(() => [TextPart], { description: "The question's title." }) readonly title!: readonly TextPart[];
  @Field(() => [TextPart], {
    description:
      'Excerpt of the body around the first matches. Formulas and dollar signs are marked as in `Question.excerpt`.',
  })
  readonly excerpt!: readonly TextPart[];
}

@ObjectType()
export class AnswerHits {
  @Field(() => [AnswerHit]) readonly hits!: readonly AnswerHit[];
  @Field(() => Boolean, { description: DEGRADED }) readonly degraded!: boolean;
}

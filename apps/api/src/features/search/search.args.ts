import { ArgsType, Field, ID, Int } from '@nestjs/graphql';
import { SEARCH_PAGE_SIZE } from '@nimo/domain';
import type { SearchSort } from '@nimo/projections';
import { ApiError } from '../../platform/errors/api-error.js';
import { QuestionQueryVals } from '../questions/question-lists.resolver.js';

const SORT = 'The best match first unless given; 1 newest first, 2 most answers first.';

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
      throw new ApiError('VALIDATION_FAILED', 'sort is 1 (newest first) or 2 (most answers first).', {
        field: 'sort',
        rule: 'SORT_UNKNOWN',
      });
  }
}

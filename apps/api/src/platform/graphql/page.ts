import { Field, InputType, Int } from '@nestjs/graphql';
import { ApiError } from '../errors/api-error.js';

export const MAX_PAGE_SIZE = 100;
const LAST_PAGE = 100_000;

@InputType()
export class PaginateOptions {
  @Field(() => Int, { nullable: true, defaultValue: 1 }) readonly page?: number | null;
  @Field(() => Int, { nullable: true }) readonly limit?: number | null;
  @Field(() => Int, { nullable: true, defaultValue: 1, description: '1 newest first, 2 most answers first.' })
  readonly sort?: number | null;
}

export interface Page {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

/** @throws ApiError naming the argument that is out of range. */
export function parsePage(
  asked: { readonly page?: number | null | undefined; readonly limit?: number | null | undefined },
  defaultLimit: number,
  largest: number = MAX_PAGE_SIZE,
): Page {
  const page = asked.page ?? 1;
  const limit = asked.limit ?? defaultLimit;
  if (page < 1 || page > LAST_PAGE) throw outOfRange('page', LAST_PAGE);
  if (limit < 1 || limit > largest) throw outOfRange('limit', largest);
  return { page, limit, offset: (page - 1) * limit };
}

/** @throws ApiError naming the argument that is out of range. */
export function parseSlice(
  asked: { readonly skip?: number | null | undefined; readonly limit?: number | null | undefined },
  defaultLimit: number,
  largest: number = MAX_PAGE_SIZE,
): { readonly skip: number; readonly limit: number } {
  const skip = asked.skip ?? 0;
  const limit = asked.limit ?? defaultLimit;
  if (skip < 0 || skip > LAST_PAGE) throw outOfRange('skip', LAST_PAGE);
  if (limit < 1 || limit > largest) throw outOfRange('limit', largest);
  return { skip, limit };
}

function outOfRange(field: string, largest: number): ApiError {
  const least = field === 'skip' ? 0 : 1;
  return new ApiError('VALIDATION_FAILED', `${field} must be between ${least} and ${largest}.`, {
    field,
    rule: 'PAGE_OUT_OF_RANGE',
  });
}

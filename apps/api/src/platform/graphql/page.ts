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
  args: { readonly page?: number | null | undefined; readonly limit?: number | null | undefined },
  defaultLimit: number,
  max: number = MAX_PAGE_SIZE,
): Page {
  const page = args.page ?? 1;
  const limit = args.limit ?? defaultLimit;
  if (page < 1 || page > LAST_PAGE) throw outOfRange('page', LAST_PAGE);
  if (limit < 1 || limit > max) throw outOfRange('limit', max);
  return { page, limit, offset: (page - 1) * limit };
}

/** @throws ApiError naming the argument that is out of range. */
export function parseSlice(
  args: { readonly skip?: number | null | undefined; readonly limit?: number | null | undefined },
  defaultLimit: number,
  max: number = MAX_PAGE_SIZE,
): { readonly skip: number; readonly limit: number } {
  const skip = args.skip ?? 0;
  const limit = args.limit ?? defaultLimit;
  if (skip < 0 || skip > LAST_PAGE) throw outOfRange('skip', LAST_PAGE);
  if (limit < 1 || limit > max) throw outOfRange('limit', max);
  return { skip, limit };
}

function outOfRange(field: string, max: number): ApiError {
  const min = field === 'skip' ? 0 : 1;
  return new ApiError('VALIDATION_FAILED', `${field} must be between ${min} and ${max}.`, {
    field,
    rule: 'PAGE_OUT_OF_RANGE',
  });
}

import type { Page, QuestionPlace, QuestionSort, QuestionView } from '@nimo/projections';
import { ApiError } from '../../platform/errors/api-error.js';

const PLACE =
  /^([nt])(\d{1,9})\|(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\|([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;
const LONGEST = 200;
const LETTERS = { NEWEST: 'n', MOST_ANSWERED: 't' } as const;

/** Opaque to clients. Null at the end of the list. */
function cursorAfter(
  { docs, page, totalPages }: Page<QuestionView>,
  sort: QuestionSort,
  limit: number,
  isBehind: boolean,
): string | null {
  const last = docs.at(-1);
  if (!last || docs.length < limit || (!isBehind && page >= totalPages)) return null;
  const { answerCount, createdAt, _id } = last;
  return Buffer.from(`${LETTERS[sort]}${answerCount}|${createdAt}|${_id}`).toString('base64url');
}

/** @throws ApiError for what no page of this order gave */
export function placeOf(after: string | null | undefined, sort: QuestionSort): QuestionPlace | undefined {
  if (after === null || after === undefined) return undefined;
  const [, letter, answers, createdAt, questionId] =
    PLACE.exec(Buffer.from(after.slice(0, LONGEST), 'base64url').toString()) ?? [];
  const isRight = letter === LETTERS[sort] && createdAt !== undefined && !Number.isNaN(Date.parse(createdAt));
  if (!isRight || questionId === undefined) {
    throw new ApiError('VALIDATION_FAILED', 'after is not a valid cursor.', {
      field: 'after',
      rule: 'CURSOR_MALFORMED',
    });
  }
  return { answerCount: Number(answers), createdAt, questionId };
}

interface Asked {
  readonly sort: QuestionSort;
  readonly limit: number;
  readonly after: QuestionPlace | undefined;
}

/** The page with what leads on behind it. */
export const withCursor = <List extends Page<QuestionView>>(
  list: List,
  { sort, limit, after }: Asked,
): List & { readonly endCursor: string | null } => ({
  ...list,
  endCursor: cursorAfter(list, sort, limit, after !== undefined),
});

import type { Columns, RowOf } from './projection.js';

export const VOTE_STANDING_COLUMNS = {
  /** Not withdrawn. */
  is_held: { type: 'boolean' },
  /** Investigations that invalidated the vote. */
  invalid_in: { type: 'text[]' },
} as const satisfies Columns;

/** Whether a vote counts: it does unless it was withdrawn or invalidated. */
export type VoteStanding = RowOf<typeof VOTE_STANDING_COLUMNS>;

export const withdrawn = <R extends VoteStanding>(row: R): R =>
  row.is_held ? { ...row, is_held: false } : row;

export const invalidatedIn = <R extends VoteStanding>(row: R, caseId: string): R =>
  row.invalid_in.includes(caseId) ? row : { ...row, invalid_in: [...row.invalid_in, caseId] };

export const validAfter = <R extends VoteStanding>(row: R, caseId: string): R =>
  row.invalid_in.includes(caseId)
    ? { ...row, invalid_in: row.invalid_in.filter((id) => id !== caseId) }
    : row;

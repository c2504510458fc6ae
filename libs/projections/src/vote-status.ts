import type { Columns, RowOf } from './projection.js';

export const VOTE_STATUS_COLUMNS = {
  /** Not withdrawn. */
  is_held: { type: 'boolean' },
  /** Investigations that invalidated the vote. */
  invalid_in: { type: 'text[]' },
} as const satisfies Columns;

/** Whether a vote counts: it does unless it was withdrawn or invalidated. */
export type VoteStatus = RowOf<typeof VOTE_STATUS_COLUMNS>;

export const withdrawVote = <R extends VoteStatus>(row: R): R =>
  row.is_held ? { ...row, is_held: false } : row;

export const invalidateVote = <R extends VoteStatus>(row: R, caseId: string): R =>
  row.invalid_in.includes(caseId) ? row : { ...row, invalid_in: [...row.invalid_in, caseId] };

export const restoreVote = <R extends VoteStatus>(row: R, caseId: string): R =>
  row.invalid_in.includes(caseId)
    ? { ...row, invalid_in: row.invalid_in.filter((id) => id !== caseId) }
    : row;

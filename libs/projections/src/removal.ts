import type { Columns, RowOf } from './projection.js';

export const REMOVAL_COLUMNS = {
  is_deleted: { type: 'boolean' },
  is_upheld: { type: 'boolean' },
  /** Deleted or upheld. */
  is_removed: { type: 'boolean' },
} as const satisfies Columns;

/** Why a post is hidden. A deletion is final; an upheld report can be reversed. */
export type Removal = RowOf<typeof REMOVAL_COLUMNS>;

export const NOT_REMOVED: Removal = { is_deleted: false, is_upheld: false, is_removed: false };

export const markDeleted = <R extends Removal>(row: R): R => ({ ...row, is_deleted: true, is_removed: true });

export const withRuling = <R extends Removal>(row: R, isUpheld: boolean): R => ({
  ...row,
  is_upheld: isUpheld,
  is_removed: isUpheld || row.is_deleted,
});

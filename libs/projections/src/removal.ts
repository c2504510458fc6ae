import type { Column } from './projection.js';

/** In how many ways a post is gone. A deletion is for good; an upholding may be reversed. */
export type Removal = {
  readonly is_deleted: boolean;
  readonly is_upheld: boolean;
  /** One of the two. */
  readonly is_removed: boolean;
};

export const REMOVAL_COLUMNS = {
  is_deleted: { type: 'boolean' },
  is_upheld: { type: 'boolean' },
  is_removed: { type: 'boolean' },
} as const satisfies Readonly<Record<keyof Removal, Column>>;

export const NOT_REMOVED: Removal = { is_deleted: false, is_upheld: false, is_removed: false };

export const deleted = <R extends Removal>(row: R): R => ({ ...row, is_deleted: true, is_removed: true });

export const ruledOn = <R extends Removal>(row: R, isUpheld: boolean): R => ({
  ...row,
  is_upheld: isUpheld,
  is_removed: isUpheld || row.is_deleted,
});

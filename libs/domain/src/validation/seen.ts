import { DomainError } from '../errors.js';

/**
 * A form that was opened before somebody else's change must not undo it unasked. Only what the form is about to change is
 * compared, so that two who change different things do not meet; who wants what is there already is not told off.
 * @throws DomainError CHANGED_MEANWHILE
 */
export const requireUnchangedSince = <Details extends object>(
  seen: Partial<Details> | undefined,
  before: Details,
  after: Details,
): void => {
  for (const key of Object.keys(seen ?? {}) as (keyof Details)[]) {
    const isStale = seen?.[key] !== before[key] && after[key] !== before[key];
    if (isStale) throw new DomainError('CHANGED_MEANWHILE');
  }
};

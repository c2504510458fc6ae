import { DomainError } from '../errors.js';

/**
 * Prevents a form from overwriting changes made since it was opened. Compares only fields that the form changes, so that changes to
 * different fields do not conflict.
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

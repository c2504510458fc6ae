import type { Contact } from '@nimo/domain';

const SHOWN_DIGITS = 4;

/** Enough to recognise it, and not to learn it: `…3210`, `m…@example.org`. */
export function shownContact({ kind, value }: Contact): string {
  if (kind === 'phone') return `…${value.slice(-SHOWN_DIGITS)}`;
  const at = value.lastIndexOf('@');
  return `${value.slice(0, 1)}…${value.slice(at)}`;
}

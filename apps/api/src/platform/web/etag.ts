import { createHash } from 'node:crypto';

/** Weak: what is shown is the same, though a page has a nonce of its own each time it is sent. */
export const etagOf = (shown: string): string =>
  `W/"${createHash('sha256').update(shown).digest('base64url').slice(0, 27)}"`;

/** @param asked the header `If-None-Match` */
export function isKnown(etag: string, asked: string | undefined): boolean {
  if (asked === undefined) return false;
  const opaque = withoutWeakness(etag);
  return asked.split(',').some((known) => known.trim() === '*' || withoutWeakness(known.trim()) === opaque);
}

const withoutWeakness = (etag: string): string => etag.replace(/^W\//, '');

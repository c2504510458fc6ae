import type { AuditPlace } from '@nimo/projections';
import { ApiError } from '../../platform/errors/api-error.js';

const PLACE = /^(\d{1,15}):(\d{1,6})$/;

/** Opaque to clients, so that what a place is made of stays ours. */
export const cursorOf = ({ ordinal, line }: AuditPlace): string =>
  Buffer.from(`${ordinal}:${line}`).toString('base64url');

export function placeOf(cursor: string): AuditPlace {
  const match = PLACE.exec(Buffer.from(cursor.slice(0, 64), 'base64url').toString());
  if (!match) {
    throw new ApiError('VALIDATION_FAILED', 'after is not a valid cursor.', {
      field: 'after',
      rule: 'CURSOR_MALFORMED',
    });
  }
  return { ordinal: Number(match[1]), line: Number(match[2]) };
}

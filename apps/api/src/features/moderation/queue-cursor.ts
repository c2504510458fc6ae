import type { QueueCursor } from '@nimo/projections';
import { ApiError } from '../../platform/errors/api-error.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const cursorText = ({ rank, postId }: QueueCursor): string => `${rank}.${postId}`;

/** @throws ApiError for what was not given by `cursorText` */
export function cursorOf(text: string): QueueCursor {
  const separator = text.indexOf('.');
  const [rank, postId] = [Number(text.slice(0, separator)), text.slice(separator + 1)];
  if (separator < 1 || !Number.isSafeInteger(rank) || !UUID.test(postId)) {
    throw new ApiError('VALIDATION_FAILED', 'after is not a place in the queue.', { field: 'after' });
  }
  return { rank, postId };
}

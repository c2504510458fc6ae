import { unreachable } from '../errors.js';
import type { CommentDeleted, CommentPosted } from '../events.js';

export type CommentEvent = CommentPosted | CommentDeleted;

export type Comment = CommentPosted['data'] & { readonly deleted: boolean };
export type CommentState = Comment | undefined;

export const initialComment: CommentState = undefined;

export const evolveComment = (state: CommentState, event: CommentEvent): CommentState => {
  switch (event.type) {
    case 'CommentPosted':
      return { ...event.data, deleted: false };
    case 'CommentDeleted':
      return state && { ...state, deleted: true };
    default:
      return unreachable(event);
  }
};

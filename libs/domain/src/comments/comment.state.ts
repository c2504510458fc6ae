import type { Decider } from '../decider.js';
import { unreachable } from '../errors.js';
import type { CommentEvent, CommentPosted } from '../events.js';
import { commentStream } from '../stream-ids.js';

export type Comment = CommentPosted['data'] & { readonly deleted: boolean };
export type CommentState = Comment | undefined;

export const commentDecider: Decider<CommentState, CommentEvent, [commentId: string]> = {
  stream: commentStream,
  initial: undefined,
  evolve: (state, event) => {
    switch (event.type) {
      case 'CommentPosted':
        return { ...event.data, deleted: false };
      case 'CommentDeleted':
        return state && { ...state, deleted: true };
      case 'CommentWordsErased':
        return state && { ...state, body: '' };
      default:
        return unreachable(event);
    }
  },
};

import { unreachable } from '../errors.js';
import type { VoteCast, VoteDirection, VoteWithdrawn } from '../events.js';

export type VoteEvent = VoteCast | VoteWithdrawn;
/** The student's one standing vote on the post, if any. */
export type VoteState = { readonly standing: VoteDirection | null };

export const initialVote: VoteState = { standing: null };

export const evolveVote = (_: VoteState, event: VoteEvent): VoteState => {
  switch (event.type) {
    case 'VoteCast':
      return { standing: event.data.direction };
    case 'VoteWithdrawn':
      return { standing: null };
    default:
      return unreachable(event);
  }
};

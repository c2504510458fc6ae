import type { Decider } from '../decider.js';
import { unreachable } from '../errors.js';
import type { VoteDirection, VoteEvent } from '../events.js';
import { voteStream } from '../stream-ids.js';

/** The student's one standing vote on the post, if any. */
export type VoteState = { readonly standing: VoteDirection | null };

export const voteDecider: Decider<VoteState, VoteEvent, [postId: string, voterId: string]> = {
  stream: voteStream,
  initial: { standing: null },
  evolve: (_, event) => {
    switch (event.type) {
      case 'VoteCast':
        return { standing: event.data.direction };
      case 'VoteWithdrawn':
        return { standing: null };
      default:
        return unreachable(event);
    }
  },
  snapshot: 'vote 1',
};

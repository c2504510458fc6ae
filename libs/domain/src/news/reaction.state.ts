import type { Decider } from '../decider.js';
import { unreachable } from '../errors.js';
import type { ReactionEvent } from '../events.js';
import { reactionStream } from '../stream-ids.js';

/** What one student did with one newspost. */
export type ReactionState = { readonly liked: boolean; readonly saved: boolean };

export const reactionDecider: Decider<ReactionState, ReactionEvent, [newspostId: string, studentId: string]> =
  {
    stream: reactionStream,
    initial: { liked: false, saved: false },
    evolve: (state, event) => {
      switch (event.type) {
        case 'NewspostLiked':
          return { ...state, liked: true };
        case 'NewspostUnliked':
          return { ...state, liked: false };
        case 'NewspostSaved':
          return { ...state, saved: true };
        case 'NewspostUnsaved':
          return { ...state, saved: false };
        default:
          return unreachable(event);
      }
    },
    snapshot: 'reaction 1',
  };

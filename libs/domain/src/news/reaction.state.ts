import { unreachable } from '../errors.js';
import type { NewspostLiked, NewspostSaved, NewspostUnliked, NewspostUnsaved } from '../events.js';

export type ReactionEvent = NewspostLiked | NewspostUnliked | NewspostSaved | NewspostUnsaved;
/** What one student did with one newspost. */
export type ReactionState = { readonly liked: boolean; readonly saved: boolean };

export const initialReaction: ReactionState = { liked: false, saved: false };

export const evolveReaction = (state: ReactionState, event: ReactionEvent): ReactionState => {
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
};

import { OWN_ACTION } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `reaction-<newspostId>-<studentId>`.

type ReactionData = {
  readonly newspostId: string;
  readonly spaceId: string | null;
  readonly studentId: string;
};
export type NewspostLiked = { readonly type: 'NewspostLiked'; readonly data: ReactionData };
export type NewspostUnliked = { readonly type: 'NewspostUnliked'; readonly data: ReactionData };
export type NewspostSaved = { readonly type: 'NewspostSaved'; readonly data: ReactionData };
export type NewspostUnsaved = { readonly type: 'NewspostUnsaved'; readonly data: ReactionData };
export type ReactionEvent = NewspostLiked | NewspostUnliked | NewspostSaved | NewspostUnsaved;

const reaction = { newspostId: 'newspost-1', spaceId: 'space-1', studentId: 'student-2' };

export const reactionEvents = slice<ReactionEvent>()({
  streams: ['reaction-'],
  events: {
    NewspostLiked: {
      example: reaction,
      audit: OWN_ACTION,
    },
    NewspostUnliked: {
      example: reaction,
      audit: OWN_ACTION,
    },
    NewspostSaved: {
      example: reaction,
      audit: OWN_ACTION,
    },
    NewspostUnsaved: {
      example: reaction,
      audit: OWN_ACTION,
    },
  },
});

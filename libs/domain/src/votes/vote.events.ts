import { exampleVote, type PostRef, type PostType, type VoteDirection } from '../event-parts.js';
import { type AuditLine, lineOf, placeOf } from '../audit.js';
import { slice } from '../vocabulary.js';

export const voteOf = (data: VoteData): AuditLine =>
  lineOf({
    ...placeOf(data),
    voterId: data.voterId,
    voterIsStandIn: data.voterIsStandIn,
    direction: data.direction,
  });

// In the streams `vote-<postId>-<studentId>`.

export type VoteData = PostRef & {
  readonly postType: PostType;
  readonly voterId: string;
  readonly direction: VoteDirection;
  /** The voter is a stand-in of an import: counted on the post and for its author, never shown or scored as a person. */
  readonly voterIsStandIn: boolean;
};
export type VoteCast = { readonly type: 'VoteCast'; readonly data: VoteData };
export type VoteWithdrawn = { readonly type: 'VoteWithdrawn'; readonly data: VoteData };
export type VoteEvent = VoteCast | VoteWithdrawn;

const casted = { class: 'VOTE', lines: (data: VoteData) => [voteOf(data)] } as const;

export const voteEvents = slice<VoteEvent>()({
  streams: ['vote-'],
  errors: {
    OWN_POST_VOTE: { category: 'FORBIDDEN', message: 'You cannot vote on your own post.' },
  },
  events: {
    VoteCast: {
      example: exampleVote,
      audit: casted,
    },
    VoteWithdrawn: {
      example: exampleVote,
      audit: casted,
    },
  },
});

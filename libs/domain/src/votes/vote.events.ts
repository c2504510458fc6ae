import { exampleVote, type PostRef, type PostType, type VoteDirection } from '../event-parts.js';
import { type AuditLine, auditLine, postFields } from '../audit.js';
import { slice } from '../vocabulary.js';

export const voteLine = (data: VoteData): AuditLine =>
  auditLine({
    ...postFields(data),
    voterId: data.voterId,
    voterIsStandIn: data.voterIsStandIn,
    direction: data.direction,
  });

// Streams: `vote-<postId>-<studentId>`.

export type VoteData = PostRef & {
  readonly postType: PostType;
  readonly voterId: string;
  readonly direction: VoteDirection;
  /** Whether the voter is a stand-in from an import: counts for the post and its author, but is never shown or scored as a person. */
  readonly voterIsStandIn: boolean;
};
export type VoteCast = { readonly type: 'VoteCast'; readonly data: VoteData };
export type VoteWithdrawn = { readonly type: 'VoteWithdrawn'; readonly data: VoteData };
export type VoteEvent = VoteCast | VoteWithdrawn;

const voteAudit = { class: 'VOTE', lines: (data: VoteData) => [voteLine(data)] } as const;

export const voteEvents = slice<VoteEvent>()({
  streams: ['vote-'],
  errors: {
    OWN_POST_VOTE: { category: 'FORBIDDEN', message: 'You cannot vote on your own post.' },
    DOWNVOTE_NEEDS_MERIT: {
      category: 'FORBIDDEN',
      message: 'You need {needed} reputation in this space to downvote. You have {merit}.',
    },
  },
  events: {
    VoteCast: {
      example: exampleVote,
      audit: voteAudit,
    },
    VoteWithdrawn: {
      example: exampleVote,
      audit: voteAudit,
    },
  },
});

import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type {
  PostRef,
  PostType,
  VoteCast,
  VoteData,
  VoteDirection,
  VoteEvent,
  VoteWithdrawn,
} from '../events.js';
import { voteStream } from '../stream-ids.js';
import { type ActingStudent, type MembershipStatus, requireMember } from '../authority.js';
import type { PostFacts } from '../posts/post-facts.js';
import { MERIT_FLOOR } from '../scoring/scoring-rules.js';

/** The student's current vote on the post, if any. */
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

export type ToggleVote = {
  readonly actor: ActingStudent;
  readonly isMember: MembershipStatus;
  /** Whether the voter represents an unknown voter of an import. */
  readonly voterIsStandIn: boolean;
  readonly post: PostFacts<PostRef & { readonly postType: PostType }> | undefined;
  readonly direction: VoteDirection;
  /** The voter's merit in the space and what a downvote costs, if the rules require merit for it. */
  readonly charge?: { readonly merit: number; readonly cost: number } | undefined;
};

/** The same direction withdraws the vote, the other one replaces it. Both events are appended together, so that readers never see two votes. */
export const toggleVote = (command: ToggleVote, state: VoteState): readonly (VoteCast | VoteWithdrawn)[] => {
  const { actor, post, direction, voterIsStandIn } = command;
  if (!post || post.removed) throw new DomainError('POST_NOT_FOUND');
  requireMember(actor, command.isMember);
  if (post.postAuthorId === actor.studentId) throw new DomainError('OWN_POST_VOTE');
  const { postType, postId, questionId, spaceId, postAuthorId } = post;
  const vote = (cast: VoteDirection): VoteData => ({
    postType,
    postId,
    questionId,
    spaceId,
    postAuthorId,
    voterId: actor.studentId,
    direction: cast,
    voterIsStandIn,
  });
  const withdrawn: VoteWithdrawn[] =
    state.standing === null ? [] : [{ type: 'VoteWithdrawn', data: vote(state.standing) }];
  if (state.standing === direction) return withdrawn;
  if (direction === 'DOWN') requireMerit(command);
  return [...withdrawn, { type: 'VoteCast', data: vote(direction) }];
};

const requireMerit = ({ charge }: ToggleVote): void => {
  if (!charge) return;
  const { merit, cost } = charge;
  const needed = MERIT_FLOOR + cost;
  if (merit < needed) throw new DomainError('DOWNVOTE_NEEDS_MERIT', { needed, merit });
};

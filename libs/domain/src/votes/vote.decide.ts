import { requireMember, type ActingStudent, type InSpace } from '../authority.js';
import { DomainError } from '../errors.js';
import type { PostRef, PostType, VoteCast, VoteData, VoteDirection, VoteWithdrawn } from '../events.js';
import type { PostFacts } from '../posts/post-facts.js';
import type { VoteState } from './vote.state.js';

export type ToggleVote = {
  readonly actor: ActingStudent;
  readonly isMember: InSpace;
  /** A stand-in of an import votes for somebody whom the source does not tell. */
  readonly voterIsStandIn: boolean;
  readonly post: PostFacts<PostRef & { readonly postType: PostType }> | undefined;
  readonly direction: VoteDirection;
};

/** The same direction again withdraws; the other one replaces: both events are one append, so that no one ever sees two votes or none. */
export const toggleVote = (command: ToggleVote, state: VoteState): readonly (VoteCast | VoteWithdrawn)[] => {
  const { actor, post, direction, voterIsStandIn } = command;
  if (!post || post.removed) throw new DomainError('POST_NOT_FOUND');
  requireMember(actor, command.isMember);
  if (post.postAuthorId === actor.studentId) throw new DomainError('OWN_POST_VOTE');
  const { postType, postId, questionId, spaceId, postAuthorId } = post;
  const vote = (of: VoteDirection): VoteData => ({
    postType,
    postId,
    questionId,
    spaceId,
    postAuthorId,
    voterId: actor.studentId,
    direction: of,
    voterIsStandIn,
  });
  const withdrawn: VoteWithdrawn[] =
    state.standing === null ? [] : [{ type: 'VoteWithdrawn', data: vote(state.standing) }];
  return state.standing === direction
    ? withdrawn
    : [...withdrawn, { type: 'VoteCast', data: vote(direction) }];
};

import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type {
  NewspostLiked,
  NewspostSaved,
  NewspostUnliked,
  NewspostUnsaved,
  ReactionEvent,
} from '../events.js';
import { reactionStream } from '../stream-ids.js';
import {
  type ActingStudent,
  type MembershipStatus,
  isMaintainer,
  isModeratorOf,
  requireActive,
  requireMember,
} from '../authority.js';
import type { Newspost } from './newspost.decide.js';

/** A student's reactions to one newspost. */
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

export type ReactToNewspost = {
  readonly actor: ActingStudent;
  readonly newspost: Newspost | undefined;
  /** Membership of the newspost's space. Ignored for news for all spaces. */
  readonly isMember: MembershipStatus;
};

export const toggleLike = (
  command: ReactToNewspost,
  { liked }: ReactionState,
): readonly (NewspostLiked | NewspostUnliked)[] => [
  { type: liked ? 'NewspostUnliked' : 'NewspostLiked', data: requireReadable(command) },
];

export const toggleSave = (
  command: ReactToNewspost,
  { saved }: ReactionState,
): readonly (NewspostSaved | NewspostUnsaved)[] => [
  { type: saved ? 'NewspostUnsaved' : 'NewspostSaved', data: requireReadable(command) },
];

const requireReadable = ({ actor, newspost, isMember }: ReactToNewspost): NewspostLiked['data'] => {
  if (!newspost || newspost.removed) throw new DomainError('NEWSPOST_NOT_FOUND');
  const { newspostId, spaceId } = newspost;
  if (spaceId === null) requireActive(actor);
  else requireMember(actor, isModeratorOf(actor, spaceId) || isMaintainer(actor) || isMember);
  return { newspostId, spaceId, studentId: actor.studentId };
};

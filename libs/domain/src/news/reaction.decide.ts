import {
  isMaintainer,
  isModeratorOf,
  requireActive,
  requireMember,
  type ActingStudent,
  type InSpace,
} from '../authority.js';
import { DomainError } from '../errors.js';
import type { NewspostLiked, NewspostSaved, NewspostUnliked, NewspostUnsaved } from '../events.js';
import type { Newspost } from './newspost.state.js';
import type { ReactionState } from './reaction.state.js';

export type ReactToNewspost = {
  readonly actor: ActingStudent;
  readonly newspost: Newspost | undefined;
  /** Of the newspost's space; of no concern for news that is for everybody. */
  readonly isMember: InSpace;
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

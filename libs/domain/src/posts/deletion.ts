import { isModeratorOf, requireActive, type ActingStudent } from '../authority.js';
import { DomainError } from '../errors.js';
import { requireReason } from '../validation/content.js';

/** Who deletes and why; the reason is asked of a moderator alone. */
export type Deletion = { readonly actor: ActingStudent; readonly reason: string | null };

/** The reason to record: null for the author, a moderator's own words otherwise. */
export const deletionReason = (
  { actor, reason }: Deletion,
  post: { authorId: string; spaceId: string },
): string | null => {
  requireActive(actor);
  if (actor.studentId === post.authorId) return null;
  if (!isModeratorOf(actor, post.spaceId)) throw new DomainError('FORBIDDEN');
  return requireReason(reason);
};

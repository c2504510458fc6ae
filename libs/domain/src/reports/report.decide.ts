import { requireMember, type ActingStudent, type MembershipStatus } from '../authority.js';
import { DomainError } from '../errors.js';
import type { PostReported } from '../events.js';
import { postRef, type PostFacts } from '../posts/post-facts.js';
import { isReportReason } from '../report-reasons.js';
import type { ModerationState } from '../moderation/moderation.decide.js';

export type ReportPost = {
  readonly actor: ActingStudent;
  readonly isMember: MembershipStatus;
  readonly post: PostFacts | undefined;
  /** One of `REPORT_REASONS`. */
  readonly reason: string;
};

/** Once per student and post: after a dismissal, only new reporters count. */
export const reportPost = (
  { actor, isMember, post, reason }: ReportPost,
  { round, reporterIds }: ModerationState,
): readonly PostReported[] => {
  if (!post || post.removed) throw new DomainError('POST_NOT_FOUND');
  requireMember(actor, isMember);
  if (post.postAuthorId === actor.studentId) throw new DomainError('OWN_POST_REPORT');
  if (!isReportReason(reason)) throw new DomainError('REPORT_REASON_REQUIRED');
  if (reporterIds.includes(actor.studentId)) throw new DomainError('ALREADY_REPORTED');
  return [{ type: 'PostReported', data: { ...postRef(post), reporterId: actor.studentId, reason, round } }];
};

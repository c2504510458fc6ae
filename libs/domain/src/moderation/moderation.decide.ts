import { requireModeratorOf, type ActingStudent } from '../authority.js';
import { DomainError } from '../errors.js';
import type { ReportsDismissed, ReportsUpheld } from '../events.js';
import { postRef, type PostFacts } from '../posts/post-facts.js';
import { requireReason } from '../validation/content.js';
import type { ModerationState } from './moderation.state.js';

type Ruling = {
  readonly actor: ActingStudent;
  readonly post: PostFacts | undefined;
  /** Reports of the round that is open. */
  readonly openReports: number;
  readonly reason: string;
};
export type UpholdReports = Ruling;
export type DismissReports = Ruling;

/** The post is removed; its penalty stays. */
export const upholdReports = (command: UpholdReports, state: ModerationState): readonly ReportsUpheld[] =>
  state.upheld ? [] : [{ type: 'ReportsUpheld', data: ruling(command, state) }];

/** The penalty is reversed and a new round begins, in which only new reporters count. */
export const dismissReports = (
  command: DismissReports,
  state: ModerationState,
): readonly ReportsDismissed[] => {
  const data = ruling(command, state);
  if (state.upheld) throw new DomainError('POST_NOT_FOUND');
  return [{ type: 'ReportsDismissed', data }];
};

const ruling = (
  { actor, post, openReports, reason }: Ruling,
  { round }: ModerationState,
): ReportsUpheld['data'] => {
  if (!post) throw new DomainError('POST_NOT_FOUND');
  requireModeratorOf(actor, post.spaceId);
  const because = requireReason(reason);
  if (openReports === 0) throw new DomainError('NOTHING_REPORTED');
  return { ...postRef(post), moderatorId: actor.studentId, reason: because, round };
};

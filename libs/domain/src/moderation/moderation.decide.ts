import { requireModeratorOf, type ActingStudent } from '../authority.js';
import { DomainError } from '../errors.js';
import type { ReportsDismissed, ReportsHandedOver, ReportsUpheld, UpholdingReversed } from '../events.js';
import { REASON_MAX_LENGTH } from '../limits.js';
import { postRef, type PostFacts } from '../posts/post-facts.js';
import { requireReason, requireText } from '../validation/content.js';
import type { ModerationState } from './moderation.state.js';

/** The case as it was on the moderator's screen. A decision about another case than that one is refused. */
export type SeenCase = {
  readonly revision: number;
  readonly openReports: number;
};

export type CaseFacts = {
  readonly actor: ActingStudent;
  readonly post: PostFacts | undefined;
  /** Reports of the round that is open. */
  readonly openReports: number;
  /** The actor is among their reporters. */
  readonly isReporter: boolean;
  /** When the last decision was made; null where there was none. */
  readonly decidedAt: string | null;
  readonly seen: SeenCase;
};
type Ruling = CaseFacts & { readonly reason: string };
export type UpholdReports = Ruling;
export type DismissReports = Ruling;
export type ReverseUpholding = Ruling;
export type HandOverReports = CaseFacts & {
  /** Null gives the case back to all. `moderates` the post's space, and is not blocked. */
  readonly to: { readonly studentId: string; readonly moderates: boolean } | null;
  readonly note: string;
};

/** The post is removed; its penalty stays. */
export const upholdReports = (command: UpholdReports, state: ModerationState): readonly ReportsUpheld[] => {
  const post = requireCase(command, state);
  const reason = requireReason(command.reason);
  requireOpen(command, state);
  return [{ type: 'ReportsUpheld', data: ruling(command, post, reason, state) }];
};

/** The penalty is reversed and a new round begins, in which only new reporters count. */
export const dismissReports = (
  command: DismissReports,
  state: ModerationState,
): readonly ReportsDismissed[] => {
  const post = requireCase(command, state);
  const reason = requireReason(command.reason);
  requireOpen(command, state);
  return [{ type: 'ReportsDismissed', data: ruling(command, post, reason, state) }];
};

export const handOverReports = (
  command: HandOverReports,
  state: ModerationState,
): readonly ReportsHandedOver[] => {
  const post = requireCase(command, state);
  requireOpen(command, state);
  const { actor, to, note } = command;
  // Who wrote the post must not see who reported it.
  if (to && (!to.moderates || to.studentId === post.postAuthorId))
    throw new DomainError('HAND_OVER_TO_MODERATOR');
  const toModeratorId = to?.studentId ?? null;
  if (toModeratorId === state.assigneeId) return [];
  const { round } = state;
  const told = requireText(note, { max: REASON_MAX_LENGTH, tooLong: 'REASON_TOO_LONG' });
  return [
    {
      type: 'ReportsHandedOver',
      data: { ...postRef(post), moderatorId: actor.studentId, toModeratorId, note: told, round },
    },
  ];
};

/** Takes an upholding back: the post is visible again and the penalty is reversed. */
export const reverseUpholding = (
  command: ReverseUpholding,
  state: ModerationState,
): readonly UpholdingReversed[] => {
  const post = requireCase(command, state);
  const reason = requireReason(command.reason);
  if (!state.upheld) throw new DomainError('NOT_UPHELD');
  return [{ type: 'UpholdingReversed', data: ruling(command, post, reason, state) }];
};

/** The case that the moderator saw is still the one there is. */
const requireCase = (
  { actor, post, seen, decidedAt, isReporter }: CaseFacts,
  { revision, last }: ModerationState,
): PostFacts => {
  if (!post) throw new DomainError('POST_NOT_FOUND');
  requireModeratorOf(actor, post.spaceId);
  if (actor.studentId === post.postAuthorId) throw new DomainError('OWN_POST_CASE');
  if (isReporter) throw new DomainError('OWN_REPORT_CASE');
  if (seen.revision === revision) return post;
  if (!last) throw new DomainError('NOTHING_REPORTED');
  const { decision, moderatorId } = last;
  throw new DomainError('CASE_ALREADY_DECIDED', { decision, moderator: moderatorId, at: decidedAt ?? '' });
};

const requireOpen = ({ openReports, seen }: CaseFacts, { upheld }: ModerationState): void => {
  if (upheld || openReports === 0) throw new DomainError('NOTHING_REPORTED');
  if (openReports !== seen.openReports)
    throw new DomainError('CASE_CHANGED', { seen: seen.openReports, now: openReports });
};

const ruling = (
  { actor }: CaseFacts,
  post: PostFacts,
  reason: string,
  { round }: ModerationState,
): ReportsUpheld['data'] => ({ ...postRef(post), moderatorId: actor.studentId, reason, round });

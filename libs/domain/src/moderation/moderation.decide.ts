import type { ReportReason } from '../report-reasons.js';
import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type {
  DecisionEvent,
  PostReported,
  ReportsDismissed,
  ReportsHandedOver,
  ReportsUpheld,
  UpholdingReversed,
} from '../events.js';
import { moderationStream } from '../stream-ids.js';
import { type ActingStudent, requireModeratorOf } from '../authority.js';
import { MAX_REASON_LENGTH } from '../limits.js';
import { type PostFacts, postRef } from '../posts/post-facts.js';
import { requireReason, requireText } from '../validation/content.js';

/** How much harm a post may do while it waits, by what it is reported for. */
export const REASON_SEVERITY: Readonly<Record<ReportReason, number>> = {
  'Violence or dangerous': 5,
  'Nudity or sexual activity': 5,
  'Bullying or harassment': 5,
  'Hate picture or symbols': 4,
  'Scam or fraud': 3,
  'Fasle information': 2,
  'Its spam': 2,
  'Something else': 1,
  "I just don't like it": 1,
};

/** What a report of severity 1 by somebody without a record counts; and what a case gains for a day of waiting. */
export const POINTS_OF_A_REPORT = 100;
export const POINTS_OF_A_DAY = 100;
const SECONDS_OF_A_DAY = 86_400;
/** A case that waits gains a point each time these seconds have passed. */
export const SECONDS_OF_A_POINT = SECONDS_OF_A_DAY / POINTS_OF_A_DAY;

export type ReporterRecord = { readonly upheld: number; readonly dismissed: number };

/**
 * The severity, times what the reporter's earlier reports came to: the share that was upheld, with one report of each kind
 * imagined beside them, so that a newcomer counts 1, nobody counts 0 and nobody 2.
 */
export const reportPoints = (severity: number, { upheld, dismissed }: ReporterRecord): number =>
  Math.floor((severity * 2 * POINTS_OF_A_REPORT * (upheld + 1)) / (upheld + dismissed + 2));

/**
 * By what cases are ordered. All cases grow older at the same speed, so that their order is kept by a number that never changes
 * while they wait: the points of the reports, less the moment of the first one.
 */
export const caseRank = (points: number, firstReportedAt: string): number =>
  points - Math.floor(Date.parse(firstReportedAt) / 1_000 / SECONDS_OF_A_POINT);

/** What a moderator reads: the points of the reports and of the time since the first one. */
export const weightAt = (rank: number, now: string): number =>
  rank + Math.floor(Date.parse(now) / 1_000 / SECONDS_OF_A_POINT);

export type ModerationEvent = PostReported | DecisionEvent;
export type ModerationDecision = 'UPHELD' | 'DISMISSED' | 'HANDED_OVER' | 'REVERSED';

export type ModerationState = {
  /** Counts the dismissals and reversals. */
  readonly round: number;
  /** The post is removed until the decision is reversed. */
  readonly upheld: boolean;
  /** Whose case the open round is; null: anybody's. */
  readonly assigneeId: string | null;
  /** Counts the decisions: what a moderator saw is this number. */
  readonly revision: number;
  /** Who reported the post: once each, for good. */
  readonly reporterIds: readonly string[];
  /** Those of the open round. */
  readonly openReporterIds: readonly string[];
  readonly last: { readonly decision: ModerationDecision; readonly moderatorId: string } | null;
};

export const decisionOf = (type: DecisionEvent['type']): ModerationDecision => {
  switch (type) {
    case 'ReportsUpheld':
      return 'UPHELD';
    case 'ReportsDismissed':
      return 'DISMISSED';
    case 'ReportsHandedOver':
      return 'HANDED_OVER';
    case 'UpholdingReversed':
      return 'REVERSED';
    default:
      return unreachable(type);
  }
};

export const moderationDecider: Decider<ModerationState, ModerationEvent, [postId: string]> = {
  stream: moderationStream,
  initial: {
    round: 0,
    upheld: false,
    assigneeId: null,
    revision: 0,
    reporterIds: [],
    openReporterIds: [],
    last: null,
  },
  evolve: (state, event) => {
    if (event.type === 'PostReported') return reported(state, event);
    const { moderatorId, round } = event.data;
    const decided = {
      ...state,
      revision: state.revision + 1,
      last: { decision: decisionOf(event.type), moderatorId },
    };
    switch (event.type) {
      case 'ReportsUpheld':
        return { ...decided, upheld: true, assigneeId: null, openReporterIds: [] };
      case 'ReportsHandedOver':
        return { ...decided, assigneeId: event.data.toModeratorId };
      case 'ReportsDismissed':
      case 'UpholdingReversed':
        return { ...decided, upheld: false, assigneeId: null, openReporterIds: [], round: round + 1 };
      default:
        return unreachable(event);
    }
  },
};

const reported = (state: ModerationState, { data: { reporterId } }: PostReported): ModerationState => ({
  ...state,
  reporterIds: [...state.reporterIds, reporterId],
  openReporterIds: [...state.openReporterIds, reporterId],
});

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
  const told = requireText(note, { max: MAX_REASON_LENGTH, tooLong: 'REASON_TOO_LONG' });
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

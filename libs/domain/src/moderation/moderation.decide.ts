import type { ReportReason } from '../report-reasons.js';
import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type {
  DecisionEvent,
  Penalty,
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

/** Potential harm of a post while its case waits, by report reason. */
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

/** For a report of severity 1 by a reporter without a track record. */
export const POINTS_PER_REPORT = 100;
/** For each day of waiting. */
export const POINTS_PER_DAY = 100;
const SECONDS_PER_DAY = 86_400;
export const SECONDS_PER_POINT = SECONDS_PER_DAY / POINTS_PER_DAY;

export type ReporterRecord = { readonly upheld: number; readonly dismissed: number };

/** Severity times twice the share of the reporter's upheld reports, with add-one smoothing: new reporters weigh 1, never 0 or 2. */
export const reportPoints = (severity: number, { upheld, dismissed }: ReporterRecord): number =>
  Math.floor((severity * 2 * POINTS_PER_REPORT * (upheld + 1)) / (upheld + dismissed + 2));

/** Sort key of the queue: report points minus the time of the first report. Constant, because all cases gain points at the same rate. */
export const caseRank = (points: number, firstReportedAt: string): number =>
  points - Math.floor(Date.parse(firstReportedAt) / 1_000 / SECONDS_PER_POINT);

/** Weight shown to moderators: points for reports and for waiting time. */
export const weightAt = (rank: number, now: string): number =>
  rank + Math.floor(Date.parse(now) / 1_000 / SECONDS_PER_POINT);

export type ModerationEvent = PostReported | DecisionEvent;
export type ModerationDecision = 'UPHELD' | 'DISMISSED' | 'HANDED_OVER' | 'REVERSED';

export type ModerationState = {
  /** Number of dismissals and reversals. */
  readonly round: number;
  /** Whether the post is removed. */
  readonly upheld: boolean;
  /** The removal of all posts of the author that removed the post, if any. */
  readonly removedIn: string | null;
  /** Assigned moderator of the open round, if any. */
  readonly assigneeId: string | null;
  /** Number of decisions, for optimistic concurrency. */
  readonly revision: number;
  /** All reporters of any round, each once. */
  readonly reporterIds: readonly string[];
  /** Reporters of the open round. */
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
    removedIn: null,
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
        return {
          ...decided,
          upheld: true,
          removedIn: event.data.removalId ?? null,
          assigneeId: null,
          openReporterIds: [],
        };
      case 'ReportsHandedOver':
        return { ...decided, assigneeId: event.data.toModeratorId };
      case 'ReportsDismissed':
      case 'UpholdingReversed':
        return {
          ...decided,
          upheld: false,
          removedIn: null,
          assigneeId: null,
          openReporterIds: [],
          round: round + 1,
        };
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

/** The case as shown to the moderator. Decisions on an outdated case are refused. */
export type SeenCase = {
  readonly revision: number;
  readonly openReports: number;
};

export type CaseFacts = {
  readonly actor: ActingStudent;
  readonly post: PostFacts | undefined;
  /** Number of reports in the open round. */
  readonly openReports: number;
  /** Whether the actor is one of their reporters. */
  readonly isReporter: boolean;
  /** Time of the last decision, if any. */
  readonly decidedAt: string | null;
  readonly seen: SeenCase;
};
type Ruling = CaseFacts & { readonly reason: string };
export type UpholdReports = Ruling & { readonly penalty: Penalty };
export type DismissReports = Ruling;
export type ReverseUpholding = Ruling;
export type HandOverReports = CaseFacts & {
  /** Null unassigns the case. `moderates` is true for unblocked moderators of the space. */
  readonly to: { readonly studentId: string; readonly moderates: boolean } | null;
  readonly note: string;
};

/** Removes the post. */
export const upholdReports = (command: UpholdReports, state: ModerationState): readonly ReportsUpheld[] => {
  const post = requireCase(command, state);
  const reason = requireReason(command.reason);
  requireOpen(command, state);
  const { penalty } = command;
  const chosen = penalty === 'RULES' ? {} : { penalty };
  return [{ type: 'ReportsUpheld', data: { ...ruling(command, post, reason, state), ...chosen } }];
};

/** Reverses the penalty and starts a new round, in which only new reporters count. */
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
  // The author of the post must not see the reporters.
  if (to && (!to.moderates || to.studentId === post.postAuthorId))
    throw new DomainError('HAND_OVER_TO_MODERATOR');
  const toModeratorId = to?.studentId ?? null;
  if (toModeratorId === state.assigneeId) return [];
  const { round } = state;
  const text = requireText(note, { max: MAX_REASON_LENGTH, tooLong: 'REASON_TOO_LONG' });
  return [
    {
      type: 'ReportsHandedOver',
      data: { ...postRef(post), moderatorId: actor.studentId, toModeratorId, note: text, round },
    },
  ];
};

/** Restores the post and reverses the penalty. */
export const reverseUpholding = (
  command: ReverseUpholding,
  state: ModerationState,
): readonly UpholdingReversed[] => {
  const post = requireCase(command, state);
  const reason = requireReason(command.reason);
  if (!state.upheld) throw new DomainError('NOT_UPHELD');
  return [{ type: 'UpholdingReversed', data: ruling(command, post, reason, state) }];
};

/** Requires that the case has not changed since the moderator loaded it. */
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
): ReportsDismissed['data'] => ({ ...postRef(post), moderatorId: actor.studentId, reason, round });

import type { Decider } from '../decider.js';
import { unreachable } from '../errors.js';
import type { DecisionEvent, PostReported } from '../events.js';
import { moderationStream } from '../stream-ids.js';

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

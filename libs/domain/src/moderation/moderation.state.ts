import { unreachable } from '../errors.js';
import type { ReportsDismissed, ReportsHandedOver, ReportsUpheld, UpholdingReversed } from '../events.js';

export type ModerationEvent = ReportsUpheld | ReportsDismissed | ReportsHandedOver | UpholdingReversed;
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
  readonly last: { readonly decision: ModerationDecision; readonly moderatorId: string } | null;
};

export const initialModeration: ModerationState = {
  round: 0,
  upheld: false,
  assigneeId: null,
  revision: 0,
  last: null,
};

export const decisionOf = (type: ModerationEvent['type']): ModerationDecision => {
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

export const evolveModeration = (state: ModerationState, event: ModerationEvent): ModerationState => {
  const { moderatorId, round } = event.data;
  const decided = {
    ...state,
    revision: state.revision + 1,
    last: { decision: decisionOf(event.type), moderatorId },
  };
  switch (event.type) {
    case 'ReportsUpheld':
      return { ...decided, upheld: true, assigneeId: null };
    case 'ReportsHandedOver':
      return { ...decided, assigneeId: event.data.toModeratorId };
    case 'ReportsDismissed':
    case 'UpholdingReversed':
      return { ...decided, upheld: false, assigneeId: null, round: round + 1 };
    default:
      return unreachable(event);
  }
};

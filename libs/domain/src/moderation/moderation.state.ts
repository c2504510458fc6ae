import { unreachable } from '../errors.js';
import type { ReportsDismissed, ReportsUpheld } from '../events.js';

export type ModerationEvent = ReportsUpheld | ReportsDismissed;
/** `round` counts the dismissals; an upheld post is removed for good. */
export type ModerationState = { readonly round: number; readonly upheld: boolean };

export const initialModeration: ModerationState = { round: 0, upheld: false };

export const evolveModeration = (state: ModerationState, event: ModerationEvent): ModerationState => {
  switch (event.type) {
    case 'ReportsUpheld':
      return { ...state, upheld: true };
    case 'ReportsDismissed':
      return { ...state, round: event.data.round + 1 };
    default:
      return unreachable(event);
  }
};

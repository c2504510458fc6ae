import type { Decider } from '../decider.js';
import type { ReportEvent } from '../events.js';
import { reportStream } from '../stream-ids.js';

export type ReportState = { readonly reported: boolean };

export const reportDecider: Decider<ReportState, ReportEvent, [postId: string, reporterId: string]> = {
  stream: reportStream,
  initial: { reported: false },
  /** The stream holds one event: a student reports a post once. */
  evolve: (_state, _event) => ({ reported: true }),
};

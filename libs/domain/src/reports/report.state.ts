import type { PostReported } from '../events.js';

export type ReportEvent = PostReported;
export type ReportState = { readonly reported: boolean };

export const initialReport: ReportState = { reported: false };

/** The stream holds one event: a student reports a post once. */
export const evolveReport = (_state: ReportState, _event: ReportEvent): ReportState => ({ reported: true });

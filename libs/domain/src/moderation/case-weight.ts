import type { ReportReason } from '../report-reasons.js';

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

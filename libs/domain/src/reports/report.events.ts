import { examplePost, type PostRef } from '../event-parts.js';
import { oneLine, placeOf } from '../audit.js';
import { slice } from '../vocabulary.js';

// Among the decisions in `moderation-<postId>`: of a report and a decision at the same moment the later one is made again.

export type PostReported = {
  readonly type: 'PostReported';
  readonly data: PostRef & {
    readonly reporterId: string;
    readonly reason: string;
    /** How often reports of this post were dismissed or an upholding was reversed before: only reports of one round are added up. */
    readonly round: number;
  };
};
export type ReportEvent = PostReported;

export const reportEvents = slice<ReportEvent>()({
  streams: [],
  errors: {
    OWN_POST_REPORT: { category: 'FORBIDDEN', message: 'You can’t report your own post.' },
    REPORT_REASON_REQUIRED: { category: 'VALIDATION', field: 'reason', message: 'Please select a reason.' },
    ALREADY_REPORTED: { category: 'CONFLICT', message: 'You have already reported this post.' },
  },
  events: {
    PostReported: {
      example: { ...examplePost, reporterId: 'student-2', reason: 'Its spam', round: 0 },
      audit: {
        class: 'REPORT',
        lines: oneLine(({ reporterId, reason, round, ...post }) => ({
          ...placeOf(post),
          voterId: reporterId,
          reason,
          round,
        })),
      },
    },
  },
});

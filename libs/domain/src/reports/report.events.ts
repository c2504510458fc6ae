import { examplePost, type PostRef } from '../event-parts.js';
import { singleLine, postFields } from '../audit.js';
import { slice } from '../vocabulary.js';

// Shares the streams `moderation-<postId>` with the decisions, so that concurrent reports and decisions conflict.

export type PostReported = {
  readonly type: 'PostReported';
  readonly data: PostRef & {
    readonly reporterId: string;
    readonly reason: string;
    /** Number of earlier dismissals and reversals for this post. Only reports of the same round count together. */
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
        lines: singleLine(({ reporterId, reason, round, ...post }) => ({
          ...postFields(post),
          voterId: reporterId,
          reason,
          round,
        })),
      },
    },
  },
});

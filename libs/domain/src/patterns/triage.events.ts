import { auditLine } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `pattern-<spaceId>-<patternId>`.

export type VotePatternKind = 'PAIR' | 'RING' | 'STAR' | 'BURST' | 'ONE_PERSON';
/** `SEEN`: reviewed. `HARMLESS`: no action needed. `WATCHED`: notify moderators when it grows. */
export type PatternVerdict = 'SEEN' | 'HARMLESS' | 'WATCHED';

/** A moderator triaged a vote pattern. Records the reviewed extent; later votes are not covered. */
export type VotePatternTriaged = {
  readonly type: 'VotePatternTriaged';
  readonly data: {
    readonly spaceId: string;
    readonly patternId: string;
    readonly kind: VotePatternKind;
    readonly verdict: PatternVerdict;
    readonly moderatorId: string;
    readonly voteCount: number;
    readonly studentIds: readonly string[];
  };
};
export type TriageEvent = VotePatternTriaged;

export const triageEvents = slice<TriageEvent>()({
  streams: ['pattern-'],
  errors: {
    PATTERN_NOT_FOUND: {
      category: 'NOT_FOUND',
      message: 'This pattern is no longer unusual.',
    },
    PATTERN_CHANGED: {
      category: 'CONFLICT',
      message: 'The votes in this pattern have changed since you opened it. Review it again.',
    },
    PATTERN_TRIAGED: {
      category: 'CONFLICT',
      message: 'Another moderator has triaged this pattern. Review it again.',
    },
  },
  events: {
    VotePatternTriaged: {
      example: {
        spaceId: 'space-1',
        patternId: 'ring-0123456789abcdef',
        kind: 'RING',
        verdict: 'WATCHED',
        moderatorId: 'student-9',
        voteCount: 24,
        studentIds: ['student-1', 'student-2', 'student-3'],
      },
      // One line per account, hidden from all of them.
      audit: {
        class: 'ACT',
        lines: ({ spaceId, verdict, studentIds }) =>
          studentIds.map((receiverId) => auditLine({ spaceId, receiverId, about: verdict })),
        notForReceiver: true,
      },
    },
  },
});

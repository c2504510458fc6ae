import { type VoteData, voteLine } from '../votes/vote.events.js';
import { exampleVote } from '../event-parts.js';
import { slice } from '../vocabulary.js';

// Streams: `case-<caseId>`.

/**
 * Reason shown to affected students instead of the moderator's text, which may name people. Pairs and rings share a category so that
 * it does not reveal the voters.
 */
export type InvalidationCategory = 'ARRANGED' | 'SERIAL' | 'VOTING_ONLY' | 'OTHER';

/** Carries the full votes that stop counting, because projections do not read other streams. */
export type VotesInvalidated = {
  readonly type: 'VotesInvalidated';
  readonly data: {
    readonly caseId: string;
    readonly moderatorId: string;
    readonly category: InvalidationCategory;
    readonly reason: string;
    readonly votes: readonly VoteData[];
  };
};
export type InvalidationReversed = {
  readonly type: 'InvalidationReversed';
  readonly data: VotesInvalidated['data'];
};
export type CaseEvent = VotesInvalidated | InvalidationReversed;

const invalidation = {
  caseId: 'case-1',
  moderatorId: 'student-9',
  category: 'ARRANGED',
  reason: 'A ring',
  votes: [exampleVote],
} as const;

const caseAudit = {
  class: 'ACT',
  lines: ({ caseId, reason, votes }: (VotesInvalidated | InvalidationReversed)['data']) =>
    votes.map((vote) => ({ ...voteLine(vote), caseId, reason })),
} as const;

export const caseEvents = slice<CaseEvent>()({
  streams: ['case-'],
  errors: {
    OWN_VOTES_CASE: {
      category: 'FORBIDDEN',
      message: 'You can’t review your own votes or votes on your own posts.',
    },
    CASE_NOT_FOUND: { category: 'NOT_FOUND', message: 'Case not found.' },
    CASE_EXISTS: { category: 'CONFLICT', message: 'This case already exists.' },
    CASE_VOTES_INVALID: {
      category: 'VALIDATION',
      field: 'votes',
      message: 'You can invalidate 1 to {max} different votes at once. Split them up.',
    },
    CASE_CATEGORY_INVALID: {
      category: 'VALIDATION',
      field: 'category',
      message: 'Choose a reason to show to affected users.',
    },
    CASE_VOTE_NOT_STANDING: {
      category: 'CONFLICT',
      message: 'One of the votes no longer counts: it was withdrawn or already invalidated.',
    },
    CASE_VOTES_CHANGED: {
      category: 'CONFLICT',
      message: 'One of the votes has changed since the preview. Preview the effect again.',
    },
  },
  events: {
    VotesInvalidated: {
      example: invalidation,
      audit: caseAudit,
    },
    InvalidationReversed: {
      example: invalidation,
      audit: caseAudit,
    },
  },
});

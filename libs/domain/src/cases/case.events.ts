import { type VoteData, voteLine } from '../votes/vote.events.js';
import { auditLine } from '../audit.js';
import { exampleVote } from '../event-parts.js';
import { slice } from '../vocabulary.js';

// Streams: `case-<caseId>`.

/**
 * Reason shown to affected students instead of the moderator's text, which may name people. Pairs and rings share a category so that
 * it does not reveal the voters.
 */
export type InvalidationCategory = 'ARRANGED' | 'SERIAL' | 'VOTING_ONLY' | 'OTHER';

/** Carries the full votes, because projections do not read other streams. */
type Invalidation = {
  readonly caseId: string;
  readonly moderatorId: string;
  readonly category: InvalidationCategory;
  readonly reason: string;
  readonly votes: readonly VoteData[];
};

/** The votes still count until another moderator confirms. */
export type InvalidationProposed = { readonly type: 'InvalidationProposed'; readonly data: Invalidation };
/** By another moderator, or by the one who proposed it. */
export type InvalidationDeclined = {
  readonly type: 'InvalidationDeclined';
  readonly data: {
    readonly caseId: string;
    readonly moderatorId: string;
    readonly reason: string;
    readonly spaceIds: readonly string[];
  };
};
/** The votes stop counting. `moderatorId` decided alone, or confirmed the proposal of `proposedBy`. */
export type VotesInvalidated = {
  readonly type: 'VotesInvalidated';
  readonly data: Invalidation & { readonly proposedBy?: string };
};
export type InvalidationReversed = {
  readonly type: 'InvalidationReversed';
  readonly data: VotesInvalidated['data'];
};
export type CaseEvent = InvalidationProposed | InvalidationDeclined | VotesInvalidated | InvalidationReversed;

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

/** Spaces of the votes, sorted. */
export const spacesOfVotes = (votes: readonly VoteData[]): readonly string[] =>
  [...new Set(votes.map(({ spaceId }) => spaceId))].sort();

export const caseEvents = slice<CaseEvent>()({
  streams: ['case-'],
  errors: {
    OWN_VOTES_CASE: {
      category: 'FORBIDDEN',
      message: 'You can’t review your own votes or votes on your own posts.',
    },
    CASE_NOT_FOUND: { category: 'NOT_FOUND', message: 'Case not found.' },
    CASE_EXISTS: { category: 'CONFLICT', message: 'This case already exists.' },
    CASE_NOT_PROPOSED: {
      category: 'CONFLICT',
      message: 'This proposal has already been decided.',
    },
    CASE_NOT_INVALIDATED: {
      category: 'CONFLICT',
      message: 'The votes of this case still count.',
    },
    OWN_PROPOSAL: {
      category: 'FORBIDDEN',
      message: 'Another moderator has to confirm your proposal.',
    },
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
    CASE_VOTE_PROPOSED: {
      category: 'CONFLICT',
      message:
        'One of the votes is in your open proposal {caseId}. Withdraw it first, or let another moderator decide.',
    },
    CASE_VOTES_CHANGED: {
      category: 'CONFLICT',
      message: 'One of the votes has changed since the preview. Preview the effect again.',
    },
  },
  events: {
    // One line per space: the votes still count.
    InvalidationProposed: {
      example: invalidation,
      audit: {
        class: 'ACT',
        lines: ({ caseId, reason, votes }) =>
          spacesOfVotes(votes).map((spaceId) => auditLine({ spaceId, caseId, reason })),
      },
    },
    InvalidationDeclined: {
      example: {
        caseId: 'case-1',
        moderatorId: 'student-8',
        reason: 'They study together',
        spaceIds: ['space-1'],
      },
      audit: {
        class: 'ACT',
        lines: ({ caseId, reason, spaceIds }) =>
          spaceIds.map((spaceId) => auditLine({ spaceId, caseId, reason })),
      },
    },
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

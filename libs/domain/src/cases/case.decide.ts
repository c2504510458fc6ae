import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type {
  CaseEvent,
  InvalidationCategory,
  InvalidationDeclined,
  InvalidationProposed,
  InvalidationReversed,
  VoteData,
  VoteEvent,
  VotesInvalidated,
} from '../events.js';
import { spacesOfVotes } from './case.events.js';
import { caseStream, voteStream } from '../stream-ids.js';
import { type ActingStudent, requireModeratorOf } from '../authority.js';
import { LARGE_CASE_VOTES, MAX_CASE_VOTES } from '../limits.js';
import { requireReason } from '../validation/content.js';

export { spacesOfVotes };

/** A student's vote on a post, as reviewed in a case. */
export type ReviewedVote = {
  /** From the latest event; undefined if there was never a vote. */
  readonly vote: VoteData | undefined;
  readonly isHeld: boolean;
  /** Number of casts and withdrawals, to detect changes since the preview. */
  readonly changes: number;
};

export const reviewedVoteDecider: Decider<ReviewedVote, VoteEvent, [postId: string, voterId: string]> = {
  stream: voteStream,
  initial: { vote: undefined, isHeld: false, changes: 0 },
  evolve: (state, event) => ({
    vote: event.data,
    isHeld: event.type === 'VoteCast',
    changes: state.changes + 1,
  }),
};

/** @throws DomainError CASE_VOTE_NOT_STANDING if a vote was withdrawn or never cast */
export const requireHeldVotes = (reviewed: readonly ReviewedVote[]): readonly VoteData[] =>
  reviewed.map(({ vote, isHeld }) => {
    if (!vote || !isHeld) throw new DomainError('CASE_VOTE_NOT_STANDING');
    return vote;
  });

/** A case starts as a proposal if it is large, otherwise as an invalidation. */
export type CaseStatus = 'PROPOSED' | 'INVALIDATED' | 'DECLINED' | 'REVERSED';

export type CaseState =
  | { readonly status: CaseStatus; readonly invalidation: VotesInvalidated['data'] }
  | undefined;

export const caseDecider: Decider<CaseState, CaseEvent, [caseId: string]> = {
  stream: caseStream,
  initial: undefined,
  evolve: (state, event) => {
    switch (event.type) {
      case 'InvalidationProposed':
        return { invalidation: event.data, status: 'PROPOSED' };
      case 'InvalidationDeclined':
        return state && { ...state, status: 'DECLINED' };
      case 'VotesInvalidated':
        return { invalidation: event.data, status: 'INVALIDATED' };
      case 'InvalidationReversed':
        return state && { ...state, status: 'REVERSED' };
      default:
        return unreachable(event);
    }
  },
};

export const INVALIDATION_CATEGORIES = [
  'ARRANGED',
  'SERIAL',
  'VOTING_ONLY',
  'OTHER',
] as const satisfies readonly InvalidationCategory[];

export type InvalidateVotes = {
  readonly actor: ActingStudent;
  readonly caseId: string;
  readonly votes: readonly VoteData[];
  readonly category: InvalidationCategory;
  readonly reason: string;
  readonly ownCases: OwnCases;
};

/** The moderator's other cases, so that nobody avoids a second moderator by splitting a case. */
export type OwnCases = {
  /** Votes for the same authors in the same spaces that the moderator invalidated alone lately, in cases that are not reversed. */
  readonly votesInvalidatedAlone: number;
  /** An open proposal of the moderator with one of the votes. */
  readonly proposalId: string | null;
};

/** Whether a second moderator has to confirm the invalidation. */
export const isLargeCase = (voteCount: number, { votesInvalidatedAlone }: OwnCases): boolean =>
  voteCount + votesInvalidatedAlone > LARGE_CASE_VOTES;

/** @throws DomainError CASE_VOTE_PROPOSED */
export const requireNotProposed = ({ proposalId }: OwnCases): void => {
  if (proposalId !== null) throw new DomainError('CASE_VOTE_PROPOSED', { caseId: proposalId });
};

/** Invalidates the votes, or proposes it if they are many. */
export const invalidateVotes = (
  command: InvalidateVotes,
  state: CaseState,
): readonly (VotesInvalidated | InvalidationProposed)[] => {
  const { actor, caseId, category, votes, ownCases } = command;
  requireModeratorOfAll(actor, votes);
  if (!INVALIDATION_CATEGORIES.includes(category)) throw new DomainError('CASE_CATEGORY_INVALID');
  const reason = requireReason(command.reason);
  const distinct = new Set(votes.map(({ postId, voterId }) => `${postId} ${voterId}`));
  if (votes.length === 0 || votes.length > MAX_CASE_VOTES || distinct.size !== votes.length) {
    throw new DomainError('CASE_VOTES_INVALID', { max: MAX_CASE_VOTES });
  }
  if (state) throw new DomainError('CASE_EXISTS');
  requireNotProposed(ownCases);
  const data = { caseId, moderatorId: actor.studentId, category, reason, votes };
  return [{ type: isLargeCase(votes.length, ownCases) ? 'InvalidationProposed' : 'VotesInvalidated', data }];
};

export type ConfirmInvalidation = {
  readonly actor: ActingStudent;
  /** The votes as they are now. */
  readonly votes: readonly VoteData[];
};

export const confirmInvalidation = (
  { actor, votes }: ConfirmInvalidation,
  state: CaseState,
): readonly VotesInvalidated[] => {
  if (!state) throw new DomainError('CASE_NOT_FOUND');
  const { moderatorId: proposedBy, ...proposed } = state.invalidation;
  requireModeratorOfAll(actor, proposed.votes);
  if (state.status !== 'PROPOSED') throw new DomainError('CASE_NOT_PROPOSED');
  if (actor.studentId === proposedBy) throw new DomainError('OWN_PROPOSAL');
  const current = new Set(votes.map(identityOf));
  if (!proposed.votes.every((vote) => current.has(identityOf(vote))))
    throw new DomainError('CASE_VOTE_NOT_STANDING');
  return [{ type: 'VotesInvalidated', data: { ...proposed, moderatorId: actor.studentId, proposedBy } }];
};

const identityOf = ({ postId, voterId, direction }: VoteData): string => `${postId} ${voterId} ${direction}`;

export type DeclineInvalidation = { readonly actor: ActingStudent; readonly reason: string };

/** Declines a proposal, or withdraws the actor's own. */
export const declineInvalidation = (
  command: DeclineInvalidation,
  state: CaseState,
): readonly InvalidationDeclined[] => {
  if (!state) throw new DomainError('CASE_NOT_FOUND');
  const { caseId, votes } = state.invalidation;
  requireModeratorOfAll(command.actor, votes);
  const reason = requireReason(command.reason);
  if (state.status !== 'PROPOSED') throw new DomainError('CASE_NOT_PROPOSED');
  const moderatorId = command.actor.studentId;
  return [
    { type: 'InvalidationDeclined', data: { caseId, moderatorId, reason, spaceIds: spacesOfVotes(votes) } },
  ];
};

export type ReverseInvalidation = { readonly actor: ActingStudent; readonly reason: string };

/** Repeats the votes of the invalidation, so that projections need no lookup. */
export const reverseInvalidation = (
  command: ReverseInvalidation,
  state: CaseState,
): readonly InvalidationReversed[] => {
  if (!state) throw new DomainError('CASE_NOT_FOUND');
  const { caseId, category, votes } = state.invalidation;
  requireModeratorOfAll(command.actor, votes);
  const reason = requireReason(command.reason);
  if (state.status === 'REVERSED') return [];
  if (state.status !== 'INVALIDATED') throw new DomainError('CASE_NOT_INVALIDATED');
  return [
    {
      type: 'InvalidationReversed',
      data: { caseId, moderatorId: command.actor.studentId, category, reason, votes },
    },
  ];
};

/** Whether a student cast the vote or wrote the post, and so cannot review it. */
export const isInvolvedInVote = (
  studentId: string,
  { voterId, postAuthorId }: Pick<VoteData, 'voterId' | 'postAuthorId'>,
): boolean => voterId === studentId || postAuthorId === studentId;

const requireModeratorOfAll = (actor: ActingStudent, votes: readonly VoteData[]): void => {
  for (const spaceId of spacesOfVotes(votes)) requireModeratorOf(actor, spaceId);
  if (votes.some((vote) => isInvolvedInVote(actor.studentId, vote))) throw new DomainError('OWN_VOTES_CASE');
};

import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type {
  CaseEvent,
  InvalidationCategory,
  InvalidationReversed,
  VoteData,
  VoteEvent,
  VotesInvalidated,
} from '../events.js';
import { caseStream, voteStream } from '../stream-ids.js';
import { type ActingStudent, requireModeratorOf } from '../authority.js';
import { MAX_CASE_VOTES } from '../limits.js';
import { requireReason } from '../validation/content.js';

/** A student's vote on a post as a case looks at it. */
export type JudgedVote = {
  /** Of its latest event; undefined where nobody ever voted. */
  readonly vote: VoteData | undefined;
  readonly isHeld: boolean;
  /** Casts and withdrawals so far: tells whether anything happened since somebody looked. */
  readonly changes: number;
};

export const judgedVoteDecider: Decider<JudgedVote, VoteEvent, [postId: string, voterId: string]> = {
  stream: voteStream,
  initial: { vote: undefined, isHeld: false, changes: 0 },
  evolve: (state, event) => ({
    vote: event.data,
    isHeld: event.type === 'VoteCast',
    changes: state.changes + 1,
  }),
};

/** @throws DomainError CASE_VOTE_NOT_STANDING where a vote is withdrawn or never was */
export const requireHeldVotes = (judged: readonly JudgedVote[]): readonly VoteData[] =>
  judged.map(({ vote, isHeld }) => {
    if (!vote || !isHeld) throw new DomainError('CASE_VOTE_NOT_STANDING');
    return vote;
  });

export type CaseState =
  | { readonly invalidation: VotesInvalidated['data']; readonly reversed: boolean }
  | undefined;

export const caseDecider: Decider<CaseState, CaseEvent, [caseId: string]> = {
  stream: caseStream,
  initial: undefined,
  evolve: (state, event) => {
    switch (event.type) {
      case 'VotesInvalidated':
        return { invalidation: event.data, reversed: false };
      case 'InvalidationReversed':
        return state && { ...state, reversed: true };
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
};

export const invalidateVotes = (command: InvalidateVotes, state: CaseState): readonly VotesInvalidated[] => {
  const { actor, caseId, category, votes } = command;
  requireModeratorOfAll(actor, votes);
  if (!INVALIDATION_CATEGORIES.includes(category)) throw new DomainError('CASE_CATEGORY_INVALID');
  const reason = requireReason(command.reason);
  const different = new Set(votes.map(({ postId, voterId }) => `${postId} ${voterId}`));
  if (votes.length === 0 || votes.length > MAX_CASE_VOTES || different.size !== votes.length) {
    throw new DomainError('CASE_VOTES_INVALID', { max: MAX_CASE_VOTES });
  }
  if (state) throw new DomainError('CASE_EXISTS');
  return [
    { type: 'VotesInvalidated', data: { caseId, moderatorId: actor.studentId, category, reason, votes } },
  ];
};

export type ReverseInvalidation = { readonly actor: ActingStudent; readonly reason: string };

/** Lists the same votes as the invalidation: a projection must not look them up. */
export const reverseInvalidation = (
  command: ReverseInvalidation,
  state: CaseState,
): readonly InvalidationReversed[] => {
  if (!state) throw new DomainError('CASE_NOT_FOUND');
  const { caseId, category, votes } = state.invalidation;
  requireModeratorOfAll(command.actor, votes);
  const reason = requireReason(command.reason);
  if (state.reversed) return [];
  return [
    {
      type: 'InvalidationReversed',
      data: { caseId, moderatorId: command.actor.studentId, category, reason, votes },
    },
  ];
};

/** Nobody judges votes on their own posts, nor their own. */
export const concernsVoteOf = (
  studentId: string,
  { voterId, postAuthorId }: Pick<VoteData, 'voterId' | 'postAuthorId'>,
): boolean => voterId === studentId || postAuthorId === studentId;

const requireModeratorOfAll = (actor: ActingStudent, votes: readonly VoteData[]): void => {
  for (const spaceId of new Set(votes.map((vote) => vote.spaceId))) requireModeratorOf(actor, spaceId);
  if (votes.some((vote) => concernsVoteOf(actor.studentId, vote))) throw new DomainError('OWN_VOTES_CASE');
};

import type { Decider } from '../decider.js';
import { DomainError } from '../errors.js';
import type { VoteData, VoteEvent } from '../events.js';
import { voteStream } from '../stream-ids.js';

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

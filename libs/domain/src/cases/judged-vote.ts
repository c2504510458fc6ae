import { DomainError } from '../errors.js';
import type { VoteData } from '../events.js';
import type { VoteEvent } from '../votes/vote.state.js';

/** A student's vote on a post as a case looks at it. */
export type JudgedVote = {
  /** Of its latest event; undefined where nobody ever voted. */
  readonly vote: VoteData | undefined;
  readonly isHeld: boolean;
  /** Casts and withdrawals so far: tells whether anything happened since somebody looked. */
  readonly changes: number;
};

export const initialJudgedVote: JudgedVote = { vote: undefined, isHeld: false, changes: 0 };

export const evolveJudgedVote = (state: JudgedVote, event: VoteEvent): JudgedVote => ({
  vote: event.data,
  isHeld: event.type === 'VoteCast',
  changes: state.changes + 1,
});

/** @throws DomainError CASE_VOTE_NOT_STANDING where a vote is withdrawn or never was */
export const requireHeldVotes = (judged: readonly JudgedVote[]): readonly VoteData[] =>
  judged.map(({ vote, isHeld }) => {
    if (!vote || !isHeld) throw new DomainError('CASE_VOTE_NOT_STANDING');
    return vote;
  });

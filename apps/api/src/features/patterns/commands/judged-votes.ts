import { createHash } from 'node:crypto';
import {
  CASE_VOTES_MAX,
  DomainError,
  evolveJudgedVote,
  initialJudgedVote,
  concernsVoteOf,
  isModeratorOf,
  voteStream,
  type ActingStudent,
  type JudgedVote,
  type VoteData,
} from '@nimo/domain';
import { moderatedSpaces } from '../../../platform/auth/viewer.js';
import type { DomainStreams } from '../../../platform/commands/domain-streams.js';

/** Which vote is meant. What it is, its stream says and never the caller. */
export interface VoteRef {
  readonly postId: string;
  readonly voterId: string;
}

export const streamsOfVotes = (refs: readonly VoteRef[]): string[] =>
  refs.map(({ postId, voterId }) => voteStream(postId, voterId));

/** @throws DomainError CASE_VOTES_INVALID before anything is read for too many, or for none */
export function requireCaseSize(refs: readonly VoteRef[]): void {
  const different = new Set(streamsOfVotes(refs)).size;
  if (refs.length === 0 || refs.length > CASE_VOTES_MAX || different !== refs.length)
    throw new DomainError('CASE_VOTES_INVALID', { max: CASE_VOTES_MAX });
}

export const judgedVotesOf = (streams: DomainStreams, refs: readonly VoteRef[]): readonly JudgedVote[] =>
  streamsOfVotes(refs).map((streamId) => streams.state(streamId, initialJudgedVote, evolveJudgedVote));

/**
 * Of a vote that never was nobody knows the space: a moderator of some spaces is told the same as of a vote in another space, so that
 * asking does not tell who voted there.
 */
export function requireMayJudge(by: ActingStudent, judged: readonly JudgedVote[]): void {
  const isForbidden = ({ vote }: JudgedVote) =>
    vote ? !isModeratorOf(by, vote.spaceId) : moderatedSpaces(by) !== 'all';
  if (judged.some(isForbidden)) throw new DomainError('FORBIDDEN');
  if (judged.some(({ vote }) => vote && concernsVoteOf(by.studentId, vote)))
    throw new DomainError('OWN_VOTES_CASE');
}

/** Of the spaces of all of them, and concerned by none. */
export const maySeeCase = (by: ActingStudent, votes: readonly VoteData[]): boolean =>
  votes.every((vote) => isModeratorOf(by, vote.spaceId) && !concernsVoteOf(by.studentId, vote));

/** Differs as soon as one of the votes is cast or withdrawn again. */
export function fingerprintOf(refs: readonly VoteRef[], judged: readonly JudgedVote[]): string {
  const states = streamsOfVotes(refs).map((streamId, place) => `${streamId} ${judged[place]?.changes ?? 0}`);
  return createHash('sha256').update(states.sort().join('\n')).digest('hex');
}

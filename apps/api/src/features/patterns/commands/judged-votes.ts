import { createHash } from 'node:crypto';
import {
  aggregate,
  CASE_VOTES_MAX,
  concernsVoteOf,
  DomainError,
  isModeratorOf,
  judgedVoteDecider,
  type ActingStudent,
  type Aggregate,
  type JudgedVote,
  type VoteData,
  type VoteEvent,
} from '@nimo/domain';
import { moderatedSpaces } from '../../../platform/auth/viewer.js';
import type { DomainStreams } from '../../../platform/commands/domain-streams.js';

/** Which vote is meant. What it is, its stream says and never the caller. */
export interface VoteRef {
  readonly postId: string;
  readonly voterId: string;
}

export const votesOf = (refs: readonly VoteRef[]): Aggregate<JudgedVote, VoteEvent>[] =>
  refs.map(({ postId, voterId }) => aggregate(judgedVoteDecider, postId, voterId));

/** @throws DomainError CASE_VOTES_INVALID before anything is read for too many, or for none */
export function requireCaseSize(refs: readonly VoteRef[]): void {
  const different = new Set(votesOf(refs).map(({ streamId }) => streamId)).size;
  if (refs.length === 0 || refs.length > CASE_VOTES_MAX || different !== refs.length)
    throw new DomainError('CASE_VOTES_INVALID', { max: CASE_VOTES_MAX });
}

export const judgedVotesOf = (streams: DomainStreams, refs: readonly VoteRef[]): readonly JudgedVote[] =>
  votesOf(refs).map((vote) => streams.state(vote));

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
  const states = votesOf(refs).map(({ streamId }, place) => `${streamId} ${judged[place]?.changes ?? 0}`);
  return createHash('sha256').update(states.sort().join('\n')).digest('hex');
}

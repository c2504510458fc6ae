import type { VoteDirection } from '@nimo/domain';
import type { FreshRows, FreshTable, FreshWish } from '@nimo/projection-engine';
import { ownVote, type QuestionView } from './question.view.js';
import { postVotes, questionsProjection } from './questions.projection.js';
import { votes, type VoteRow } from './posts.tables.js';

/** Votes on posts, as a `FreshReader` reads them. */
export const FRESH_VOTES: FreshTable = { projection: questionsProjection, table: votes, counter: postVotes };

const DIRECTIONS: readonly VoteDirection[] = ['UP', 'DOWN'];

/** How many votes a post has, and the voter's own. */
export const votesOn = (postId: string, voterId: string): FreshWish => ({
  counted: [postId],
  keys: DIRECTIONS.map((direction) => [postId, voterId, direction]),
});

/** What votes change of a question or an answer, as the voter sees it. */
export type VotesView = Pick<QuestionView, 'upvoteCount' | 'downvoteCount' | 'upvotedBy' | 'downvotedBy'>;

/** @param voterId as it was wished */
export function votesFrom({ rows, counts }: FreshRows, voterId: string): VotesView {
  // Rows of `votes`, of the voter alone.
  const own = (rows as readonly VoteRow[]).find(({ is_held }) => is_held);
  return {
    upvoteCount: counts['upvotes'] ?? 0,
    downvoteCount: counts['downvotes'] ?? 0,
    ...ownVote(own?.direction ?? null, voterId),
  };
}

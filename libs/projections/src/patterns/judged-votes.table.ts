import type { VoteData } from '@nimo/domain';
import type { CounterTable, Key, RowChange, Table } from '../projection.js';

/**
 * A person's vote in one direction on a post, with whose post it is. Stand-ins of an import are no persons and have none. As in
 * `votes`, the row outlives a withdrawal, with the cases that name it.
 */
export type JudgedVoteRow = {
  readonly post_id: string;
  readonly voter_id: string;
  readonly direction: string;
  readonly space_id: string;
  readonly question_id: string;
  readonly post_type: string;
  readonly author_id: string;
  /** Of the latest cast. */
  readonly cast_at: string;
  readonly is_held: boolean;
  readonly invalid_in: readonly string[];
};

const keysOfVotes = (votes: readonly VoteData[]): readonly Key[] =>
  votes
    .filter(({ voterIsStandIn }) => !voterIsStandIn)
    .map(({ postId, voterId, direction }) => [postId, voterId, direction]);

const castOn = (vote: VoteData, castAt: string): JudgedVoteRow => ({
  post_id: vote.postId,
  voter_id: vote.voterId,
  direction: vote.direction,
  space_id: vote.spaceId,
  question_id: vote.questionId,
  post_type: vote.postType,
  author_id: vote.postAuthorId,
  cast_at: castAt,
  is_held: true,
  invalid_in: [],
});

export const judgedVotes: Table<JudgedVoteRow> = {
  name: 'judged_votes',
  columns: {
    post_id: { type: 'text' },
    voter_id: { type: 'text' },
    direction: { type: 'text' },
    space_id: { type: 'text' },
    question_id: { type: 'text' },
    post_type: { type: 'text' },
    author_id: { type: 'text' },
    cast_at: { type: 'timestamptz' },
    is_held: { type: 'boolean' },
    invalid_in: { type: 'text[]' },
  },
  key: ['post_id', 'voter_id', 'direction'],
  indexes: [
    'create index judged_votes_voter_{suffix} on {table} (voter_id, author_id, space_id)',
    'create index judged_votes_author_{suffix} on {table} (author_id, space_id)',
  ],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'VoteCast':
      case 'VoteWithdrawn':
        return keysOfVotes([event.data]);
      case 'VotesInvalidated':
      case 'InvalidationReversed':
        return keysOfVotes(event.data.votes);
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'VoteCast': {
        const castAt = event.metadata.occurredAt;
        return row ? { ...row, cast_at: castAt, is_held: true } : castOn(event.data, castAt);
      }
      case 'VoteWithdrawn':
        return row?.is_held ? { ...row, is_held: false } : row;
      case 'VotesInvalidated': {
        const { caseId } = event.data;
        return row && !row.invalid_in.includes(caseId)
          ? { ...row, invalid_in: [...row.invalid_in, caseId] }
          : row;
      }
      case 'InvalidationReversed': {
        const { caseId } = event.data;
        return row?.invalid_in.includes(caseId)
          ? { ...row, invalid_in: row.invalid_in.filter((id) => id !== caseId) }
          : row;
      }
      default:
        return row;
    }
  },
};

const stands = (row: JudgedVoteRow | undefined): boolean => !!row?.is_held && row.invalid_in.length === 0;

/** How many votes stand, by the columns of the key. */
const standingVotes = (name: string, key: readonly (keyof JudgedVoteRow)[]): CounterTable => ({
  name,
  key,
  counters: ['upvotes', 'downvotes'],
  source: judgedVotes.name,
  increments({ before, after }: RowChange<JudgedVoteRow>) {
    const step = Number(stands(after)) - Number(stands(before));
    const row = after ?? before;
    if (!row || step === 0) return [];
    const counter = row.direction === 'UP' ? 'upvotes' : 'downvotes';
    return [{ key: key.map((column) => String(row[column])), by: { [counter]: step } }];
  },
});

/** From one person to another. */
export const votePairs: CounterTable = {
  ...standingVotes('vote_pairs', ['space_id', 'voter_id', 'author_id']),
  indexes: [
    'create index vote_pairs_often_{suffix} on {table} (space_id) where upvotes >= 3 or downvotes >= 3',
  ],
};

export const voteGivers: CounterTable = standingVotes('vote_givers', ['space_id', 'voter_id']);
export const voteTakers: CounterTable = standingVotes('vote_takers', ['space_id', 'author_id']);

import type { VoteData } from '@nimo/domain';
import type { Columns, CounterTable, Key, Projected, RowChange, RowOf, Table } from '../projection.js';
import { invalidatedIn, validAfter, VOTE_STANDING_COLUMNS, withdrawn } from '../vote-standing.js';

const COLUMNS = {
  post_id: { type: 'text' },
  voter_id: { type: 'text' },
  direction: { type: 'text' },
  space_id: { type: 'text' },
  question_id: { type: 'text' },
  post_type: { type: 'text' },
  author_id: { type: 'text' },
  /** Of the latest cast. */
  cast_at: { type: 'timestamptz' },
  ...VOTE_STANDING_COLUMNS,
} as const satisfies Columns;

/**
 * A person's vote in one direction on a post, with whose post it is. Stand-ins of an import are no persons and have none. As in
 * `votes`, the row outlives a withdrawal, with the cases that name it.
 */
export type JudgedVoteRow = RowOf<typeof COLUMNS>;

const keysOfVotes = (votes: readonly VoteData[]): readonly Key[] =>
  votes
    .filter(({ voterIsStandIn }) => !voterIsStandIn)
    .map(({ postId, voterId, direction }) => [postId, voterId, direction]);

const ofVote = ({ data }: Projected<'VoteCast' | 'VoteWithdrawn'>) => keysOfVotes([data]);
const ofVotes = ({ data }: Projected<'VotesInvalidated' | 'InvalidationReversed'>) => keysOfVotes(data.votes);

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
  columns: COLUMNS,
  key: ['post_id', 'voter_id', 'direction'],
  indexes: [
    'create index judged_votes_voter_{suffix} on {table} (voter_id, author_id, space_id)',
    'create index judged_votes_author_{suffix} on {table} (author_id, space_id)',
  ],
  on: {
    VoteCast: {
      keys: ofVote,
      fold: (row, { data, metadata: { occurredAt } }) =>
        row ? { ...row, cast_at: occurredAt, is_held: true } : castOn(data, occurredAt),
    },
    VoteWithdrawn: { keys: ofVote, change: withdrawn },
    VotesInvalidated: { keys: ofVotes, change: (row, { data }) => invalidatedIn(row, data.caseId) },
    InvalidationReversed: { keys: ofVotes, change: (row, { data }) => validAfter(row, data.caseId) },
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

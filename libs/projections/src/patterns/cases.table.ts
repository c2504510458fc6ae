import type { Columns, Key, Projected, RowOf, Table } from '../projection.js';

const CASE_COLUMNS = {
  case_id: { type: 'text' },
  space_ids: { type: 'text[]' },
  moderator_id: { type: 'text' },
  category: { type: 'text' },
  reason: { type: 'text' },
  votes: { type: 'integer' },
  opened_at: { type: 'timestamptz' },
  opened_ordinal: { type: 'bigint' },
  reversed_by: { type: 'text', nullable: true },
  reversal_reason: { type: 'text', nullable: true },
  reversed_at: { type: 'timestamptz', nullable: true },
} as const satisfies Columns;

/** An invalidation of votes by a moderator, and its reversal. */
export type CaseRow = RowOf<typeof CASE_COLUMNS>;

const CASE_VOTE_COLUMNS = {
  case_id: { type: 'text' },
  post_id: { type: 'text' },
  voter_id: { type: 'text' },
  direction: { type: 'text' },
  space_id: { type: 'text' },
  question_id: { type: 'text' },
  post_type: { type: 'text' },
  author_id: { type: 'text' },
} as const satisfies Columns;

/** A vote that a case names: what those concerned are told is found by it. */
export type CaseVoteRow = RowOf<typeof CASE_VOTE_COLUMNS>;

const ofCase = ({ data }: Projected<'VotesInvalidated' | 'InvalidationReversed'>): readonly Key[] => [
  [data.caseId],
];

export const cases: Table<CaseRow> = {
  name: 'cases',
  columns: CASE_COLUMNS,
  key: ['case_id'],
  indexes: ['create index cases_latest_{suffix} on {table} (opened_ordinal desc)'],
  on: {
    VotesInvalidated: {
      keys: ofCase,
      fold: (row, { data: { caseId, moderatorId, category, reason, votes }, metadata, ordinal }) =>
        row ?? {
          case_id: caseId,
          space_ids: [...new Set(votes.map(({ spaceId }) => spaceId))].sort(),
          moderator_id: moderatorId,
          category,
          reason,
          votes: votes.length,
          opened_at: metadata.occurredAt,
          opened_ordinal: ordinal,
          reversed_by: null,
          reversal_reason: null,
          reversed_at: null,
        },
    },
    InvalidationReversed: {
      keys: ofCase,
      change: (row, { data: { moderatorId, reason }, metadata }) =>
        row.reversed_at === null
          ? {
              ...row,
              reversed_by: moderatorId,
              reversal_reason: reason,
              reversed_at: metadata.occurredAt,
            }
          : row,
    },
  },
};

export const caseVotes: Table<CaseVoteRow> = {
  name: 'case_votes',
  columns: CASE_VOTE_COLUMNS,
  key: ['case_id', 'post_id', 'voter_id', 'direction'],
  indexes: [
    'create index case_votes_voter_{suffix} on {table} (voter_id, space_id)',
    'create index case_votes_author_{suffix} on {table} (author_id, space_id)',
  ],
  on: {
    VotesInvalidated: {
      keys: ({ data: { caseId, votes } }) =>
        votes.map(({ postId, voterId, direction }) => [caseId, postId, voterId, direction]),
      fold(row, { data: { caseId, votes } }, [, postId, voterId, direction]) {
        if (row) return row;
        const vote = votes.find(
          (named) => named.postId === postId && named.voterId === voterId && named.direction === direction,
        );
        return (
          vote && {
            case_id: caseId,
            post_id: vote.postId,
            voter_id: vote.voterId,
            direction: vote.direction,
            space_id: vote.spaceId,
            question_id: vote.questionId,
            post_type: vote.postType,
            author_id: vote.postAuthorId,
          }
        );
      },
    },
  },
};

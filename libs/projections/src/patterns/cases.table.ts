import type { EventOf } from '@nimo/domain';
import type { Key, Table } from '../projection.js';

/** An invalidation of votes by a moderator, and its reversal. */
export type CaseRow = {
  readonly case_id: string;
  readonly space_ids: readonly string[];
  readonly moderator_id: string;
  readonly category: string;
  readonly reason: string;
  readonly votes: number;
  readonly opened_at: string;
  readonly opened_ordinal: number;
  readonly reversed_by: string | null;
  readonly reversal_reason: string | null;
  readonly reversed_at: string | null;
};

/** A vote that a case names: what those concerned are told is found by it. */
export type CaseVoteRow = {
  readonly case_id: string;
  readonly post_id: string;
  readonly voter_id: string;
  readonly direction: string;
  readonly space_id: string;
  readonly question_id: string;
  readonly post_type: string;
  readonly author_id: string;
};

type Opened = EventOf<'VotesInvalidated'>['data'];

export const cases: Table<CaseRow> = {
  name: 'cases',
  columns: {
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
  },
  key: ['case_id'],
  indexes: ['create index cases_latest_{suffix} on {table} (opened_ordinal desc)'],
  keysOf: (event) =>
    event.type === 'VotesInvalidated' || event.type === 'InvalidationReversed' ? [[event.data.caseId]] : [],
  fold(row, event) {
    switch (event.type) {
      case 'VotesInvalidated': {
        const { caseId, moderatorId, category, reason, votes } = event.data;
        if (row) return row;
        return {
          case_id: caseId,
          space_ids: [...new Set(votes.map(({ spaceId }) => spaceId))].sort(),
          moderator_id: moderatorId,
          category,
          reason,
          votes: votes.length,
          opened_at: event.metadata.occurredAt,
          opened_ordinal: event.ordinal,
          reversed_by: null,
          reversal_reason: null,
          reversed_at: null,
        };
      }
      case 'InvalidationReversed': {
        if (!row || row.reversed_at !== null) return row;
        const { moderatorId, reason } = event.data;
        return {
          ...row,
          reversed_by: moderatorId,
          reversal_reason: reason,
          reversed_at: event.metadata.occurredAt,
        };
      }
      default:
        return row;
    }
  },
};

const keysOfCase = ({ caseId, votes }: Opened): readonly Key[] =>
  votes.map(({ postId, voterId, direction }) => [caseId, postId, voterId, direction]);

export const caseVotes: Table<CaseVoteRow> = {
  name: 'case_votes',
  columns: {
    case_id: { type: 'text' },
    post_id: { type: 'text' },
    voter_id: { type: 'text' },
    direction: { type: 'text' },
    space_id: { type: 'text' },
    question_id: { type: 'text' },
    post_type: { type: 'text' },
    author_id: { type: 'text' },
  },
  key: ['case_id', 'post_id', 'voter_id', 'direction'],
  indexes: [
    'create index case_votes_voter_{suffix} on {table} (voter_id, space_id)',
    'create index case_votes_author_{suffix} on {table} (author_id, space_id)',
  ],
  keysOf: (event) => (event.type === 'VotesInvalidated' ? keysOfCase(event.data) : []),
  fold(row, event, [, postId, voterId, direction]) {
    if (row || event.type !== 'VotesInvalidated') return row;
    const { caseId, votes } = event.data;
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
};

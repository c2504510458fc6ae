import { type CaseEvent, spacesOfVotes, type VoteData } from '@nimo/domain';
import type {
  Columns,
  CounterTable,
  Key,
  Projected,
  Projection,
  RowChange,
  RowOf,
  Table,
} from '../projection.js';
import { invalidateVote, restoreVote, VOTE_STATUS_COLUMNS, withdrawVote } from '../vote-status.js';

const CASE_COLUMNS = {
  case_id: { type: 'text' },
  space_ids: { type: 'text[]' },
  moderator_id: { type: 'text' },
  category: { type: 'text' },
  reason: { type: 'text' },
  votes: { type: 'integer' },
  opened_at: { type: 'timestamptz' },
  opened_ordinal: { type: 'bigint' },
  /** Null if the case was never proposed. */
  proposed_by: { type: 'text', nullable: true },
  /** Null while the votes of a proposal still count. */
  invalidated_at: { type: 'timestamptz', nullable: true },
  declined_by: { type: 'text', nullable: true },
  decline_reason: { type: 'text', nullable: true },
  declined_at: { type: 'timestamptz', nullable: true },
  reversed_by: { type: 'text', nullable: true },
  reversal_reason: { type: 'text', nullable: true },
  reversed_at: { type: 'timestamptz', nullable: true },
} as const satisfies Columns;

/** Votes invalidated by a moderator or proposed for it, and what became of them. */
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

/** A vote in a case, including proposals. Notices to the affected users are read from this table. */
type CaseVoteRow = RowOf<typeof CASE_VOTE_COLUMNS>;

const ofCase = ({ data }: Projected<CaseEvent['type']>): readonly Key[] => [[data.caseId]];

const openCase = ({
  data: { caseId, moderatorId, category, reason, votes },
  metadata,
  ordinal,
}: Projected<'InvalidationProposed' | 'VotesInvalidated'>): CaseRow => ({
  case_id: caseId,
  space_ids: [...spacesOfVotes(votes)],
  moderator_id: moderatorId,
  category,
  reason,
  votes: votes.length,
  opened_at: metadata.occurredAt,
  opened_ordinal: ordinal,
  proposed_by: null,
  invalidated_at: null,
  declined_by: null,
  decline_reason: null,
  declined_at: null,
  reversed_by: null,
  reversal_reason: null,
  reversed_at: null,
});

const cases: Table<CaseRow> = {
  name: 'cases',
  columns: CASE_COLUMNS,
  key: ['case_id'],
  indexes: ['create index cases_latest_{suffix} on {table} (opened_ordinal desc)'],
  on: {
    InvalidationProposed: {
      keys: ofCase,
      fold: (row, event) => row ?? { ...openCase(event), proposed_by: event.data.moderatorId },
    },
    InvalidationDeclined: {
      keys: ofCase,
      change: (row, { data: { moderatorId, reason }, metadata }) => ({
        ...row,
        declined_by: moderatorId,
        decline_reason: reason,
        declined_at: metadata.occurredAt,
      }),
    },
    VotesInvalidated: {
      keys: ofCase,
      fold: (row, event) =>
        row?.invalidated_at
          ? row
          : {
              ...(row ?? openCase(event)),
              moderator_id: event.data.moderatorId,
              invalidated_at: event.metadata.occurredAt,
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

type Listing = Projected<'InvalidationProposed' | 'VotesInvalidated'>;

const listedVotes = {
  keys: ({ data: { caseId, votes } }: Listing): readonly Key[] =>
    votes.map(({ postId, voterId, direction }) => [caseId, postId, voterId, direction]),
  fold(
    row: CaseVoteRow | undefined,
    { data: { caseId, votes } }: Listing,
    [, postId, voterId, direction]: Key,
  ): CaseVoteRow | undefined {
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
};

const caseVotes: Table<CaseVoteRow> = {
  name: 'case_votes',
  columns: CASE_VOTE_COLUMNS,
  key: ['case_id', 'post_id', 'voter_id', 'direction'],
  indexes: [
    'create index case_votes_voter_{suffix} on {table} (voter_id, space_id)',
    'create index case_votes_author_{suffix} on {table} (author_id, space_id)',
  ],
  on: {
    InvalidationProposed: listedVotes,
    VotesInvalidated: listedVotes,
  },
};

const JUDGED_VOTE_COLUMNS = {
  post_id: { type: 'text' },
  voter_id: { type: 'text' },
  direction: { type: 'text' },
  space_id: { type: 'text' },
  question_id: { type: 'text' },
  post_type: { type: 'text' },
  author_id: { type: 'text' },
  /** When the vote was last cast. */
  cast_at: { type: 'timestamptz' },
  ...VOTE_STATUS_COLUMNS,
} as const satisfies Columns;

/**
 * A person's vote in one direction on a post, with the post's author. Votes of stand-ins are not stored. Like in `votes`, the row
 * survives a withdrawal, along with its cases.
 */
type JudgedVoteRow = RowOf<typeof JUDGED_VOTE_COLUMNS>;

const keysOfVotes = (votes: readonly VoteData[]): readonly Key[] =>
  votes
    .filter(({ voterIsStandIn }) => !voterIsStandIn)
    .map(({ postId, voterId, direction }) => [postId, voterId, direction]);

const ofVote = ({ data }: Projected<'VoteCast' | 'VoteWithdrawn'>) => keysOfVotes([data]);
const ofVotes = ({ data }: Projected<'VotesInvalidated' | 'InvalidationReversed'>) => keysOfVotes(data.votes);

const castVote = (vote: VoteData, castAt: string): JudgedVoteRow => ({
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

const judgedVotes: Table<JudgedVoteRow> = {
  name: 'judged_votes',
  columns: JUDGED_VOTE_COLUMNS,
  key: ['post_id', 'voter_id', 'direction'],
  indexes: [
    'create index judged_votes_voter_{suffix} on {table} (voter_id, author_id, space_id)',
    'create index judged_votes_author_{suffix} on {table} (author_id, space_id)',
  ],
  on: {
    VoteCast: {
      keys: ofVote,
      fold: (row, { data, metadata: { occurredAt } }) =>
        row ? { ...row, cast_at: occurredAt, is_held: true } : castVote(data, occurredAt),
    },
    VoteWithdrawn: { keys: ofVote, change: withdrawVote },
    VotesInvalidated: { keys: ofVotes, change: (row, { data }) => invalidateVote(row, data.caseId) },
    InvalidationReversed: { keys: ofVotes, change: (row, { data }) => restoreVote(row, data.caseId) },
  },
};

const isValid = (row: JudgedVoteRow | undefined): boolean => !!row?.is_held && row.invalid_in.length === 0;

/** Counts valid votes by the key columns. */
const validVotes = (name: string, key: readonly (keyof JudgedVoteRow)[]): CounterTable => ({
  name,
  key,
  counters: ['upvotes', 'downvotes'],
  source: judgedVotes.name,
  increments({ before, after }: RowChange<JudgedVoteRow>) {
    const step = Number(isValid(after)) - Number(isValid(before));
    const row = after ?? before;
    if (!row || step === 0) return [];
    const counter = row.direction === 'UP' ? 'upvotes' : 'downvotes';
    return [{ key: key.map((column) => String(row[column])), by: { [counter]: step } }];
  },
});

/** Valid votes from one person for another. */
const votePairs: CounterTable = {
  ...validVotes('vote_pairs', ['space_id', 'voter_id', 'author_id']),
  indexes: [
    'create index vote_pairs_often_{suffix} on {table} (space_id) where upvotes >= 3 or downvotes >= 3',
  ],
};

const voteGivers: CounterTable = validVotes('vote_givers', ['space_id', 'voter_id']);
const voteReceivers: CounterTable = validVotes('vote_takers', ['space_id', 'author_id']);

const TRIAGE_COLUMNS = {
  space_id: { type: 'text' },
  pattern_id: { type: 'text' },
  kind: { type: 'text' },
  verdict: { type: 'text' },
  moderator_id: { type: 'text' },
  triaged_at: { type: 'timestamptz' },
  /** Votes and accounts of the pattern at the time. */
  votes: { type: 'integer' },
  student_ids: { type: 'text[]' },
  /** Number of triages so far. */
  revision: { type: 'integer' },
} as const satisfies Columns;

/** Latest triage of a pattern. */
type PatternTriageRow = RowOf<typeof TRIAGE_COLUMNS>;

const patternTriages: Table<PatternTriageRow> = {
  name: 'pattern_triages',
  columns: TRIAGE_COLUMNS,
  key: ['space_id', 'pattern_id'],
  on: {
    VotePatternTriaged: {
      keys: ({ data: { spaceId, patternId } }) => [[spaceId, patternId]],
      fold: (row, { data, metadata: { occurredAt } }) => ({
        space_id: data.spaceId,
        pattern_id: data.patternId,
        kind: data.kind,
        verdict: data.verdict,
        moderator_id: data.moderatorId,
        triaged_at: occurredAt,
        votes: data.voteCount,
        student_ids: [...data.studentIds],
        revision: (row?.revision ?? 0) + 1,
      }),
    },
  },
};

/** Votes between people, triaged patterns, and cases of invalidated votes. */
export const patternsProjection = {
  name: 'patterns',
  purpose: 'Vote patterns and invalidated votes',
  version: 4,
  lingers: true,
  tables: [judgedVotes, cases, caseVotes, patternTriages],
  counters: [votePairs, voteGivers, voteReceivers],
} as const satisfies Projection;

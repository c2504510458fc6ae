import type { VoteData } from '@nimo/domain';
import type { Columns, Key, Projected, RowOf, Table } from '../projection.js';
import { invalidatedIn, validAfter, VOTE_STANDING_COLUMNS, withdrawn } from '../vote-standing.js';

const VOTE_COLUMNS = {
  post_id: { type: 'text' },
  voter_id: { type: 'text' },
  direction: { type: 'text' },
  /** A vote that is held is shown to its voter as the own one, counted or not. */
  ...VOTE_STANDING_COLUMNS,
} as const satisfies Columns;

/**
 * A student's vote in one direction on a post. The row stays when the vote is withdrawn, with the cases that name it: toggling
 * twice does not get round a moderator.
 */
export type VoteRow = RowOf<typeof VOTE_COLUMNS>;

const BOOKMARK_COLUMNS = {
  question_id: { type: 'text' },
  student_id: { type: 'text' },
  space_id: { type: 'text' },
  saved_at: { type: 'timestamptz' },
} as const satisfies Columns;

export type BookmarkRow = RowOf<typeof BOOKMARK_COLUMNS>;

const POST_REPORT_COLUMNS = {
  post_id: { type: 'text' },
  reporter_id: { type: 'text' },
  post_type: { type: 'text' },
  space_id: { type: 'text' },
  reason: { type: 'text' },
  reported_at: { type: 'timestamptz' },
} as const satisfies Columns;

/** A student's own report, so that the student need not see the post again. */
export type PostReportRow = RowOf<typeof POST_REPORT_COLUMNS>;

const keyOf = ({ postId, voterId, direction }: VoteData): Key => [postId, voterId, direction];
const ofVote = ({ data }: Projected<'VoteCast' | 'VoteWithdrawn'>): readonly Key[] => [keyOf(data)];
const ofVotes = ({ data }: Projected<'VotesInvalidated' | 'InvalidationReversed'>): readonly Key[] =>
  data.votes.map(keyOf);

export const votes: Table<VoteRow> = {
  name: 'votes',
  columns: VOTE_COLUMNS,
  key: ['post_id', 'voter_id', 'direction'],
  on: {
    VoteCast: {
      keys: ofVote,
      fold(row, { data: { postId, voterId, direction } }) {
        if (row) return row.is_held ? row : { ...row, is_held: true };
        return { post_id: postId, voter_id: voterId, direction, is_held: true, invalid_in: [] };
      },
    },
    VoteWithdrawn: { keys: ofVote, change: withdrawn },
    VotesInvalidated: { keys: ofVotes, change: (row, { data }) => invalidatedIn(row, data.caseId) },
    InvalidationReversed: { keys: ofVotes, change: (row, { data }) => validAfter(row, data.caseId) },
  },
};

const ofBookmark = ({ data }: Projected<'QuestionSaved' | 'QuestionUnsaved'>): readonly Key[] => [
  [data.questionId, data.studentId],
];

export const bookmarks: Table<BookmarkRow> = {
  name: 'bookmarks',
  columns: BOOKMARK_COLUMNS,
  key: ['question_id', 'student_id'],
  indexes: [
    'create index bookmarks_student_{suffix} on {table} (student_id, space_id, saved_at desc, question_id desc)',
  ],
  on: {
    QuestionSaved: {
      keys: ofBookmark,
      fold: (row, { data: { questionId, studentId, spaceId }, metadata }) =>
        row ?? {
          question_id: questionId,
          student_id: studentId,
          space_id: spaceId,
          saved_at: metadata.occurredAt,
        },
    },
    QuestionUnsaved: { keys: ofBookmark, change: () => undefined },
  },
};

export const postReports: Table<PostReportRow> = {
  name: 'post_reports',
  columns: POST_REPORT_COLUMNS,
  key: ['post_id', 'reporter_id'],
  indexes: [
    'create index post_reports_reporter_{suffix} on {table} (reporter_id, post_type, reported_at desc, post_id)',
  ],
  on: {
    PostReported: {
      keys: ({ data }) => [[data.postId, data.reporterId]],
      fold: (row, { data: { postId, reporterId, postType, spaceId, reason }, metadata }) =>
        row ?? {
          post_id: postId,
          reporter_id: reporterId,
          post_type: postType,
          space_id: spaceId,
          reason,
          reported_at: metadata.occurredAt,
        },
    },
  },
};

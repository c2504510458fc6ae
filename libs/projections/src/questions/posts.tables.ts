import { cleanHtml } from '@nimo/rich-text';
import type { VoteData } from '@nimo/domain';
import type { Columns, Key, Projected, RowOf, Table } from '../projection.js';
import { markDeleted, NOT_REMOVED, REMOVAL_COLUMNS, withRuling } from '../removal.js';
import { invalidateVote, restoreVote, VOTE_STATUS_COLUMNS, withdrawVote } from '../vote-status.js';

const ANSWER_COLUMNS = {
  answer_id: { type: 'text' },
  question_id: { type: 'text' },
  space_id: { type: 'text' },
  author_id: { type: 'text' },
  /** HTML, sanitised according to `RICH_TEXT_VERSION`. */
  body: { type: 'text' },
  image_urls: { type: 'text[]' },
  created_at: { type: 'timestamptz' },
  edited_at: { type: 'timestamptz', nullable: true },
  /** Comments that are not removed. */
  comments_count: { type: 'integer' },
  ...REMOVAL_COLUMNS,
  /** Comments no longer counted. */
  removed_children: { type: 'text[]' },
} as const satisfies Columns;

/** Visibility also depends on the question's row, which queries join. */
export type AnswerRow = RowOf<typeof ANSWER_COLUMNS>;

const withoutComment = (row: AnswerRow, commentId: string): AnswerRow =>
  row.removed_children.includes(commentId)
    ? row
    : {
        ...row,
        comments_count: row.comments_count - 1,
        removed_children: [...row.removed_children, commentId],
      };

const ofAnswer = ({
  data,
}: Projected<'AnswerPosted' | 'AnswerEdited' | 'AnswerDeleted' | 'AnswerWordsErased'>): readonly Key[] => [
  [data.answerId],
];
const answersOfComment = ({ data }: Projected<'CommentPosted' | 'CommentDeleted'>): readonly Key[] =>
  data.parentType === 'ANSWER' ? [[data.parentId]] : [];
const answersOfRuling = ({ data }: Projected<'ReportsUpheld' | 'UpholdingReversed'>): readonly Key[] =>
  data.postType === 'ANSWER' ? [[data.postId]] : [];

export const answers: Table<AnswerRow> = {
  name: 'answers',
  columns: ANSWER_COLUMNS,
  key: ['answer_id'],
  indexes: [
    'create index answers_question_{suffix} on {table} (question_id, created_at, answer_id) where not is_removed',
    `create index answers_author_{suffix} on {table} (author_id, space_id, created_at desc, answer_id desc)
       where not is_removed`,
  ],
  on: {
    AnswerPosted: {
      keys: ofAnswer,
      fold: (_, { data: { answerId, questionId, spaceId, authorId, body, imageUrls }, metadata }) => ({
        answer_id: answerId,
        question_id: questionId,
        space_id: spaceId,
        author_id: authorId,
        body: cleanHtml(body),
        image_urls: imageUrls,
        created_at: metadata.occurredAt,
        edited_at: null,
        comments_count: 0,
        ...NOT_REMOVED,
        removed_children: [],
      }),
    },
    AnswerEdited: {
      keys: ofAnswer,
      change: (row, { data, metadata }) => ({
        ...row,
        body: cleanHtml(data.body),
        image_urls: data.imageUrls,
        edited_at: metadata.occurredAt,
      }),
    },
    AnswerDeleted: { keys: ofAnswer, change: markDeleted },
    AnswerWordsErased: { keys: ofAnswer, change: (row) => ({ ...row, body: '', image_urls: [] }) },
    CommentPosted: {
      keys: answersOfComment,
      change: (row) => ({ ...row, comments_count: row.comments_count + 1 }),
    },
    CommentDeleted: {
      keys: answersOfComment,
      change: (row, { data }) => withoutComment(row, data.commentId),
    },
    ReportsUpheld: { keys: answersOfRuling, change: (row) => withRuling(row, true) },
    UpholdingReversed: { keys: answersOfRuling, change: (row) => withRuling(row, false) },
  },
};

const COMMENT_COLUMNS = {
  comment_id: { type: 'text' },
  parent_type: { type: 'text' },
  parent_id: { type: 'text' },
  question_id: { type: 'text' },
  space_id: { type: 'text' },
  author_id: { type: 'text' },
  /** Mentions are stored as `@[<studentId>]`. Queries join the names. */
  body: { type: 'text' },
  mentioned_student_ids: { type: 'text[]' },
  created_at: { type: 'timestamptz' },
  ...REMOVAL_COLUMNS,
} as const satisfies Columns;

/** A comment on a question or an answer. Visibility also depends on its parents, which queries join. */
export type CommentRow = RowOf<typeof COMMENT_COLUMNS>;

const commentsOfComment = ({
  data,
}: Projected<'CommentPosted' | 'CommentDeleted' | 'CommentWordsErased'>): readonly Key[] => [
  [data.commentId],
];
const commentsOfRuling = ({ data }: Projected<'ReportsUpheld' | 'UpholdingReversed'>): readonly Key[] =>
  data.postType === 'COMMENT' || data.postType === 'QUESTION_COMMENT' ? [[data.postId]] : [];

export const comments: Table<CommentRow> = {
  name: 'comments',
  columns: COMMENT_COLUMNS,
  key: ['comment_id'],
  indexes: [
    'create index comments_parent_{suffix} on {table} (parent_id, created_at, comment_id) where not is_removed',
    'create index comments_author_{suffix} on {table} (author_id, space_id) where not is_removed',
  ],
  on: {
    CommentPosted: {
      keys: commentsOfComment,
      fold: (_, { data, metadata }) => ({
        comment_id: data.commentId,
        parent_type: data.parentType,
        parent_id: data.parentId,
        question_id: data.questionId,
        space_id: data.spaceId,
        author_id: data.authorId,
        body: data.body,
        mentioned_student_ids: data.mentionedStudentIds,
        created_at: metadata.occurredAt,
        ...NOT_REMOVED,
      }),
    },
    CommentDeleted: { keys: commentsOfComment, change: markDeleted },
    CommentWordsErased: { keys: commentsOfComment, change: (row) => ({ ...row, body: '' }) },
    ReportsUpheld: { keys: commentsOfRuling, change: (row) => withRuling(row, true) },
    UpholdingReversed: { keys: commentsOfRuling, change: (row) => withRuling(row, false) },
  },
};

const VOTE_COLUMNS = {
  post_id: { type: 'text' },
  voter_id: { type: 'text' },
  direction: { type: 'text' },
  /** A held vote is shown to its voter, counted or not. */
  ...VOTE_STATUS_COLUMNS,
} as const satisfies Columns;

/**
 * A student's vote in one direction on a post. The row and its cases survive a withdrawal, so toggling twice does not undo an
 * invalidation.
 */
export type VoteRow = RowOf<typeof VOTE_COLUMNS>;

const BOOKMARK_COLUMNS = {
  question_id: { type: 'text' },
  student_id: { type: 'text' },
  space_id: { type: 'text' },
  saved_at: { type: 'timestamptz' },
} as const satisfies Columns;

type BookmarkRow = RowOf<typeof BOOKMARK_COLUMNS>;

const POST_REPORT_COLUMNS = {
  post_id: { type: 'text' },
  reporter_id: { type: 'text' },
  post_type: { type: 'text' },
  space_id: { type: 'text' },
  reason: { type: 'text' },
  reported_at: { type: 'timestamptz' },
} as const satisfies Columns;

/** A student's report, used to hide the post from the reporter. */
type PostReportRow = RowOf<typeof POST_REPORT_COLUMNS>;

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
    VoteWithdrawn: { keys: ofVote, change: withdrawVote },
    VotesInvalidated: { keys: ofVotes, change: (row, { data }) => invalidateVote(row, data.caseId) },
    InvalidationReversed: { keys: ofVotes, change: (row, { data }) => restoreVote(row, data.caseId) },
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

import type { VoteData } from '@nimo/domain';
import type { Key, Table } from '../projection.js';

/**
 * A student's vote in one direction on a post. The row stays when the vote is withdrawn, with the cases that name it: toggling
 * twice does not get round a moderator.
 */
export type VoteRow = {
  readonly post_id: string;
  readonly voter_id: string;
  readonly direction: string;
  /** Not withdrawn: shown to the voter as the own vote. */
  readonly is_held: boolean;
  /** Cases in which the vote is invalid: it stays the voter's own but is not counted. */
  readonly invalid_in: readonly string[];
};

export type BookmarkRow = {
  readonly question_id: string;
  readonly student_id: string;
  readonly space_id: string;
  readonly saved_at: string;
};

/** A student's own report, so that the student need not see the post again. */
export type PostReportRow = {
  readonly post_id: string;
  readonly reporter_id: string;
  readonly post_type: string;
  readonly space_id: string;
  readonly reason: string;
  readonly reported_at: string;
};

const keyOfVote = ({ postId, voterId, direction }: VoteData): Key => [postId, voterId, direction];

export const votes: Table<VoteRow> = {
  name: 'votes',
  columns: {
    post_id: { type: 'text' },
    voter_id: { type: 'text' },
    direction: { type: 'text' },
    is_held: { type: 'boolean' },
    invalid_in: { type: 'text[]' },
  },
  key: ['post_id', 'voter_id', 'direction'],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'VoteCast':
      case 'VoteWithdrawn':
        return [keyOfVote(event.data)];
      case 'VotesInvalidated':
      case 'InvalidationReversed':
        return event.data.votes.map(keyOfVote);
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'VoteCast': {
        if (row) return row.is_held ? row : { ...row, is_held: true };
        const { postId, voterId, direction } = event.data;
        return { post_id: postId, voter_id: voterId, direction, is_held: true, invalid_in: [] };
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

export const bookmarks: Table<BookmarkRow> = {
  name: 'bookmarks',
  columns: {
    question_id: { type: 'text' },
    student_id: { type: 'text' },
    space_id: { type: 'text' },
    saved_at: { type: 'timestamptz' },
  },
  key: ['question_id', 'student_id'],
  indexes: [
    'create index bookmarks_student_{suffix} on {table} (student_id, space_id, saved_at desc, question_id desc)',
  ],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'QuestionSaved':
      case 'QuestionUnsaved':
        return [[event.data.questionId, event.data.studentId]];
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'QuestionSaved': {
        const { questionId, studentId, spaceId } = event.data;
        return (
          row ?? {
            question_id: questionId,
            student_id: studentId,
            space_id: spaceId,
            saved_at: event.metadata.occurredAt,
          }
        );
      }
      case 'QuestionUnsaved':
        return undefined;
      default:
        return row;
    }
  },
};

export const postReports: Table<PostReportRow> = {
  name: 'post_reports',
  columns: {
    post_id: { type: 'text' },
    reporter_id: { type: 'text' },
    post_type: { type: 'text' },
    space_id: { type: 'text' },
    reason: { type: 'text' },
    reported_at: { type: 'timestamptz' },
  },
  key: ['post_id', 'reporter_id'],
  indexes: [
    'create index post_reports_reporter_{suffix} on {table} (reporter_id, post_type, reported_at desc, post_id)',
  ],
  keysOf: (event) => (event.type === 'PostReported' ? [[event.data.postId, event.data.reporterId]] : []),
  fold(row, event) {
    if (event.type !== 'PostReported') return row;
    const { postId, reporterId, postType, spaceId, reason } = event.data;
    return (
      row ?? {
        post_id: postId,
        reporter_id: reporterId,
        post_type: postType,
        space_id: spaceId,
        reason,
        reported_at: event.metadata.occurredAt,
      }
    );
  },
};

import type { EventOf } from '@nimo/domain';
import type { Key, Table } from '../projection.js';

/**
 * A standing vote. The row is gone once the vote is withdrawn, and with it every case that listed that vote:
 * a later vote of the same student is another vote.
 */
export type VoteRow = {
  readonly post_id: string;
  readonly voter_id: string;
  readonly direction: string;
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

type Case = EventOf<'VotesInvalidated'>['data'];

/** A case may list thousands of votes and is folded once for each: its list is searched by key. */
const listsOfCases = new WeakMap<Case, ReadonlySet<string>>();

function isListed(data: Case, row: VoteRow): boolean {
  const list =
    listsOfCases.get(data) ??
    new Set(data.votes.map((vote) => nameOf(vote.postId, vote.voterId, vote.direction)));
  listsOfCases.set(data, list);
  return list.has(nameOf(row.post_id, row.voter_id, row.direction));
}

const nameOf = (...parts: readonly string[]): string => parts.join(' ');

export const votes: Table<VoteRow> = {
  name: 'votes',
  columns: {
    post_id: { type: 'text' },
    voter_id: { type: 'text' },
    direction: { type: 'text' },
    invalid_in: { type: 'text[]' },
  },
  key: ['post_id', 'voter_id'],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'VoteCast':
      case 'VoteWithdrawn':
        return [[event.data.postId, event.data.voterId]];
      case 'VotesInvalidated':
      case 'InvalidationReversed':
        return event.data.votes.map((vote) => [vote.postId, vote.voterId]);
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'VoteCast': {
        const { postId, voterId, direction } = event.data;
        return row?.direction === direction
          ? row
          : { post_id: postId, voter_id: voterId, direction, invalid_in: [] };
      }
      case 'VoteWithdrawn':
        return undefined;
      case 'VotesInvalidated': {
        // The vote may have been withdrawn or turned round since the moderator looked: then the case does not concern it.
        const { caseId } = event.data;
        return row && isListed(event.data, row) && !row.invalid_in.includes(caseId)
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

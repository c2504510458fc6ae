import type { Key, Table } from '../projection.js';
import { deleted, NOT_REMOVED, type Removal, REMOVAL_COLUMNS, ruledOn } from '../removal.js';

/** A comment of a question or an answer; whether it is visible is decided with the rows above it, when read. */
export type CommentRow = Removal & {
  readonly comment_id: string;
  readonly parent_type: string;
  readonly parent_id: string;
  readonly question_id: string;
  readonly space_id: string;
  readonly author_id: string;
  /** A mention is `@[<studentId>]`; the name is joined when read. */
  readonly body: string;
  readonly mentioned_student_ids: readonly string[];
  readonly created_at: string;
};

export const comments: Table<CommentRow> = {
  name: 'comments',
  columns: {
    comment_id: { type: 'text' },
    parent_type: { type: 'text' },
    parent_id: { type: 'text' },
    question_id: { type: 'text' },
    space_id: { type: 'text' },
    author_id: { type: 'text' },
    body: { type: 'text' },
    mentioned_student_ids: { type: 'text[]' },
    created_at: { type: 'timestamptz' },
    ...REMOVAL_COLUMNS,
  },
  key: ['comment_id'],
  indexes: [
    'create index comments_parent_{suffix} on {table} (parent_id, created_at, comment_id) where not is_removed',
  ],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'CommentPosted':
      case 'CommentDeleted':
        return [[event.data.commentId]];
      case 'ReportsUpheld':
      case 'UpholdingReversed':
        return event.data.postType === 'COMMENT' || event.data.postType === 'QUESTION_COMMENT'
          ? [[event.data.postId]]
          : [];
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'CommentPosted':
        return {
          comment_id: event.data.commentId,
          parent_type: event.data.parentType,
          parent_id: event.data.parentId,
          question_id: event.data.questionId,
          space_id: event.data.spaceId,
          author_id: event.data.authorId,
          body: event.data.body,
          mentioned_student_ids: event.data.mentionedStudentIds,
          created_at: event.metadata.occurredAt,
          ...NOT_REMOVED,
        };
      case 'CommentDeleted':
        return row && deleted(row);
      case 'ReportsUpheld':
        return row && ruledOn(row, true);
      case 'UpholdingReversed':
        return row && ruledOn(row, false);
      default:
        return row;
    }
  },
};
